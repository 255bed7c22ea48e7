"""Play the evidence tools over one bug through a real server, and judge what they showed."""

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.realbugs.corpus import Bug
from evals.realbugs.installing import environment
from mcp_client import Server

from policies.reading import Seen


@dataclass
class Played:
    """What was asked, read and shown."""

    bug: Bug
    seen: Seen
    tools: list[str] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    refused: str = ""

    @property
    def frame(self) -> bool:
        """Whether `debug_test` stood in, or listed, the function in which it fails."""
        return self.bug.fails in {name for name, _ in _frames(self.answers[:1])}

    @property
    def value(self) -> bool:
        """Whether the betraying value was read, as a whole word."""
        return self.seen.shown

    @property
    def function(self) -> bool:
        """Whether the root cause's function was shown as something that ran: a frame, a call, a row; not in a source line."""
        ran = {name for name, _ in _frames(self.answers)} | set(_called(self.answers))
        return self.bug.function in ran


def _frames(answers: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """(function, file) of each frame that an answer shows."""
    for answer in answers:
        place = answer.get("location") or {}
        for row in [place, *(answer.get("failure") or {}).get("userFrames", [])]:
            if row.get("function"):
                yield _last(row["function"]), str(row.get("file"))


def _called(answers: list[dict[str, Any]]) -> Iterator[str]:
    """The functions that a tree or a table shows."""
    for answer in answers:
        for name in re.findall(r"#\d+ ([\w.<>]+)\(", str(answer.get("tree", ""))):
            yield _last(name)
        for row in answer.get("rows") or ():
            yield _last(str(row.get("function", "")))


def _last(name: str) -> str:
    return name.rsplit(".", 1)[-1]


def play(bug: Bug, folder: Path) -> Played:
    """`debug_test`, and the bug's second call where the first did not show the value."""
    played = Played(bug, Seen(bug.betrays))
    common = {
        "test": str(folder / bug.test.name),
        "cwd": str(folder),
        "env": environment(folder),
        "executablePath": sys.executable,
    }
    began = time.perf_counter()
    with Server([sys.executable, "-m", "dapwright", "serve"], cwd=folder) as server:
        stop = _ask(server, played, "debug_test", **common)
        if stop.get("sessionId"):
            server.call("close_debug_session", sessionId=stop["sessionId"])
        if not played.value:
            wanted = dict(bug.then)
            tool = wanted.pop("tool")
            for probe in wanted.get("probes", ()):
                probe.setdefault("file", str(folder / bug.file))
            _ask(server, played, tool, **common, **wanted)
        played.seen.seconds = time.perf_counter() - began
    return played


def _ask(server: Server, played: Played, tool: str, **arguments: Any) -> dict[str, Any]:
    played.tools.append(tool)
    answer = played.seen.ask(server, tool, **arguments)
    if not answer:
        played.refused = played.seen.texts[-2]
    played.answers.append(answer)
    played.texts.append("\n".join(part.get("text", "") for part in server.raw.get("content", [])))
    return answer
