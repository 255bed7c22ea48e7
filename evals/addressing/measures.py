"""What one run of an agent amounts to, out of the log of its messages; and intervals over runs."""

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WITHIN = 3
"""Calls within which a set of the same file counts as a correction of a bad one."""
RESAMPLED = 2000


@dataclass
class Run:
    """One agent, one task, one arm. `sets` are attempts; `wrong` ones were accepted at another text than any target."""

    arm: str
    model: str
    task: str
    sets: int = 0
    accepted: int = 0
    wrong: int = 0
    rejected: int = 0
    reset: int = 0
    restarts: int = 0
    """Restarts that came to stand at a breakpoint."""
    astray: int = 0
    """Of these the ones that stood at another text than any target: a breakpoint that an edit has moved."""
    rounds: int = 0
    bytes: int = 0
    tokens: int | None = None
    cost: float | None = None
    found: bool = False
    audited: int = 0
    said: str = ""
    bad: list[tuple[int, str]] = field(default_factory=list)


def read(log: Path) -> Iterator[dict[str, Any]]:
    """The rows that the relay wrote."""
    for line in log.read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)


def calls(log: Path) -> list[tuple[str, dict[str, Any], dict[str, Any], int]]:
    """Every tool call with its answer: (tool, arguments, structured answer, bytes of both)."""
    asked: dict[Any, tuple[dict[str, Any], int]] = {}
    found = []
    for row in read(log):
        message = row["message"]
        if row["way"] == "ask" and isinstance(message, dict) and message.get("method") == "tools/call":
            asked[message["id"]] = (message["params"], row["bytes"])
        elif row["way"] == "answer" and isinstance(message, dict) and message.get("id") in asked:
            params, size = asked.pop(message["id"])
            answer = message.get("result", {}).get("structuredContent") or {"success": False}
            found.append((params["name"], params.get("arguments") or {}, answer, size + row["bytes"]))
    return found


def measure(run: Run, log: Path, targets: Sequence[str]) -> Run:
    """Judge each set by the text that it was bound to, so that edits do not matter."""
    for number, (tool, arguments, answer, size) in enumerate(calls(log)):
        run.rounds, run.bytes = run.rounds + 1, run.bytes + size
        if tool == "set_breakpoint":
            _judge(run, number, arguments, answer, targets)
        if tool == "restart_debugging" and answer.get("stopReason") == "breakpoint":
            run.restarts += 1
            run.astray += answer.get("content") not in targets
    audit = [row["message"] for row in read(log) if row["way"] == "audit"]
    run.audited = sum(text.count('"tool"') for one in audit for text in _texts(one))
    return run


def _judge(run: Run, number: int, arguments: dict[str, Any], answer: dict[str, Any], targets: Sequence[str]) -> None:
    file = str(arguments.get("file", ""))
    run.sets += 1
    run.reset += any(at >= number - WITHIN and where == file for at, where in run.bad)
    if answer.get("success") is False:
        run.rejected += 1
        run.bad.append((number, file))
        return
    run.accepted += 1
    if answer.get("content") in targets:
        return
    run.wrong += 1
    run.bad.append((number, file))


def _texts(message: dict[str, Any]) -> Iterator[str]:
    for one in message.get("result", {}).get("contents", []):
        yield one.get("text", "")


def has_cause(said: str, rubric: Sequence[Sequence[str]]) -> bool:
    """Whether an answer names the root cause: of every group of words at least one."""
    low = said.lower()
    return all(any(word.lower() in low for word in group) for group in rubric)


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float, float]:
    """A share with its 95 % interval (Wilson's, sound for few and for none); zeros where there is nothing to share."""
    if not of:
        return 0.0, 0.0, 0.0
    share, square = hits / of, z * z / of
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return share, max(0.0, middle - half), min(1.0, middle + half)


def mean(values: Sequence[float], seed: int = 1) -> tuple[float, float, float]:
    """A mean with its 95 % interval, by resampling the runs."""
    if not values:
        return 0.0, 0.0, 0.0
    draw = random.Random(seed)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLED))
    return sum(values) / len(values), means[RESAMPLED // 40], means[-(RESAMPLED // 40) - 1]


def summary(runs: Sequence[Run]) -> dict[tuple[str, str], dict[str, tuple[float, float, float]]]:
    """By arm and model: shares of the sets and means of the runs, each (value, low, high)."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.arm, run.model), []).append(run)
    return {key: _of_group(group) for key, group in sorted(groups.items())}


def _of_group(group: Sequence[Run]) -> dict[str, tuple[float, float, float]]:
    def total(of: Callable[[Run], int]) -> int:
        return sum(map(of, group))

    told = {
        "wrong": wilson(total(lambda r: r.wrong), total(lambda r: r.accepted)),
        "reset": wilson(total(lambda r: r.reset), total(lambda r: r.sets)),
        "rejected": wilson(total(lambda r: r.rejected), total(lambda r: r.sets)),
        "astray": wilson(total(lambda r: r.astray), total(lambda r: r.restarts)),
        "found": wilson(total(lambda r: r.found), len(group)),
        "rounds": mean([r.rounds for r in group]),
        "bytes": mean([r.bytes for r in group]),
    }
    if tokens := [r.tokens for r in group if r.tokens is not None]:
        told["tokens"] = mean(tokens)
    if costs := [r.cost for r in group if r.cost is not None]:
        told["cost"] = mean(costs)
    return told
