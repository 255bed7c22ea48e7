"""Run a test under the debugger, and say what failed: where, with what, out of what."""

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dapwright import bounds
from dapwright.core import redact, relevance, render
from dapwright.core.adapter import Adapter
from dapwright.core.errors import NotSupported
from dapwright.core.model import Launch, Raw, TestCommand, TestTarget
from dapwright.session import Session, building, launching, probing, showing

CALL_SECONDS = 44.0
USER_FRAMES = 6
PRINTED = 600
"""Characters of what a failing test printed."""
ENDPOINT = "{endpoint}"
JUNIT = re.compile(r"[A-Za-z_][\w.$]*#\S.*")
"""`com.x.FenceTest#longFence`: how the runners of the JVM name a test, whatever its language."""


async def command_of(session: Session, target: TestTarget) -> TestCommand:
    """Ask the language for the command of a test.

    Raises:
        NotSupported: no runner of this language is known here.
        BuildPending: building the test took this call's time.
    """
    make = session.adapter.test_command
    if make is None:
        raise NotSupported(
            f"{session.adapter.display_name} tests cannot be run by name here",
            "run the runner with start_debugging and a breakpoint in the test",
        )
    planning = make(target, session.host)
    try:
        wanted = next(planning)
        while True:
            wanted = planning.send(await launching.run(session, wanted))
    except StopIteration as made:
        command: TestCommand = made.value
    building.check(session, bounds.left(CALL_SECONDS))
    return command


async def launch_of(session: Session, command: TestCommand, *, stop: bool) -> Launch:
    """The launch of a test, its plugin told where to report; `stop`: stand still at a failure."""
    endpoint = await probing.open_endpoint(session)
    where = json.dumps([endpoint.port, endpoint.nonce])
    words = [word.replace(f'"{ENDPOINT}"', where) for word in command.launch.args]
    if not stop:
        words = [word.replace('"stop": true', '"stop": false', 1) for word in words]
    return replace(command.launch, args=tuple(words))


def verdict(session: Session) -> dict[str, Any]:
    """What the runner said of the tests, in a few words: told however the run ended."""
    told: dict[str, Any] = {}
    reports = session.findings.tests
    outcomes = [report for report in reports if report.get("event") == "outcome"]
    finished = next((report for report in reports if report.get("event") == "finished"), None)
    counts = {name: count for name, count in (finished or {}).get("counts", {}).items() if count}
    told["tests"] = counts or None
    told["notes"] = [str(report["text"]) for report in reports if report.get("event") == "note"]
    told["uncollected"] = [
        {"test": report.get("test"), "reason": _safe(str(report.get("message")))}
        for report in reports
        if report.get("event") == "uncollected"
    ]
    told["told"] = [
        {"test": report["test"], "outcome": report["outcome"], "reason": _safe(str(report.get("reason") or ""))}
        for report in outcomes
        if report["outcome"] not in ("passed", "failed", "errors")
    ][:10]
    told["passed"] = passed(session)
    return told


def printed(session: Session) -> str | None:
    """What the failing test printed, where the runner keeps that to itself and has told how it went.

    Then the program's output is all the runner's own report, which repeats what is told already:
    `get_output` has it. None where the output is the program's, or says why no test ran.
    """
    reports = session.findings.tests
    kept = any(report.get("captured") for report in reports)
    known = any(report.get("event") in ("failure", "outcome") for report in reports)
    whole = session.state == "paused" or any(report.get("event") == "finished" for report in reports)
    if not (kept and known and whole) or any(report.get("event") == "uncollected" for report in reports):
        return None
    said = next((str(r["output"]) for r in reports if r.get("event") == "failure" and r.get("output")), "")
    return render.clip(redact.value("", Raw(said)), PRINTED)


def passed(session: Session) -> bool | None:
    """Whether the tests passed; None where no runner said so."""
    reports = session.findings.tests
    if any(r.get("event") in ("failure", "uncollected") for r in reports):
        return False
    finished = next((r for r in reports if r.get("event") == "finished"), None)
    if finished is None:
        return None
    counts = finished.get("counts") or {}
    bad = counts.get("failed", 0) + counts.get("errors", 0)
    good = sum(counts.values()) - bad
    return bad == 0 and good > 0 and finished.get("exit") in (0, None)


def words_of(said: Mapping[str, Any]) -> str:
    """A verdict as one sentence."""
    counts = said.get("tests") or {}
    listed = ", ".join(f"{count} {name}" for name, count in counts.items())
    if said.get("uncollected"):
        first = said["uncollected"][0]
        why = next((line for line in reversed(str(first["reason"]).splitlines()) if line.strip()), "")
        return f"`{first['test']}` could not be collected: {why.removeprefix('E').strip()}"
    if not counts:
        return (
            "no test ran; `output` has the runner's own words. Name a test as the runner does: its file, then its name"
        )
    reasons = [f"{one['test']} {one['outcome']}: {one['reason']}" for one in said["told"] if one["reason"]][:3]
    return f"the runner says: {listed}" + (f" ({'; '.join(reasons)})" if reasons else "")


async def failure(session: Session) -> dict[str, Any] | None:
    """The failure that the session stands at: message, operands, chain, the program's own frames with locals."""
    reports = [report for report in session.findings.tests if report.get("event") == "failure"]
    if not reports:
        return None
    last = reports[-1]
    told = {
        "test": last.get("test"),
        "phase": last["phase"] if last.get("phase") not in ("call", None) else None,
        "type": last.get("type"),
        "message": _safe(str(last.get("message") or "")),
    }
    if isinstance(last.get("comparison"), dict):
        told["comparison"] = {key: _safe(str(text)) for key, text in last["comparison"].items()}
    if last.get("chain"):
        told["exceptionChain"] = [
            {k: _safe(v) if isinstance(v, str) else v for k, v in c.items()} for c in last["chain"]
        ]
    if last.get("output"):
        told["printed"] = render.clip(redact.value("", Raw(str(last["output"]))), PRINTED)
    told["userFrames"] = await showing.user_frames(session, session.stop, most=USER_FRAMES) if session.stop else []
    return told


def next_call(session: Session, failure: Mapping[str, Any]) -> str:
    """The one call that makes sense after a failure: the frame that raised has its values, an assertion has not."""
    test = re.split(r"::|\.", str(failure.get("test") or "").partition("[")[0].split(" ")[0])[-1]
    frames = failure.get("userFrames") or ()
    if session.adapter.inside is None:
        return "investigate {test, probes} shows how a value came about"
    if frames and test and str(frames[0].get("function")).split(".")[-1] != test:
        return "explain_value {expression} says which statement gave a value of this frame, and from what"
    names = _called_at(frames[0]) if frames else []
    focus = f", focus: [{', '.join(names)}]" if names else ""
    return f"trace_calls {{test{focus}}} shows which call gave the wrong value"


RUNNERS = ("pytest.", "self.assert", "unittest.")
"""How calls of a test's own means begin."""
BLOCK = 2
"""Lines of a block that are looked at for what it calls."""


def _called_at(frame: Mapping[str, Any]) -> list[str]:
    """The functions that the failing statement of a test calls, quoted: what they did is gone, and can be traced."""
    lines, line = showing.source_lines(str(frame.get("file"))), int(frame.get("line") or 0)
    failing = relevance.statement(lines, line) if 0 < line <= len(lines) else []
    if failing and failing[-1].rstrip().endswith(":"):
        failing += lines[line : line + BLOCK]  # `with pytest.raises(...):` fails by what it holds
    names = relevance.called(" ".join(failing))
    return [f'"{name.rpartition(".")[2]}"' for name in names if not name.startswith(RUNNERS)][-3:]


def _safe(text: str) -> str:
    return str(redact.value("", Raw(text)))


def find_adapter(test: str, language: str | None, adapters: Any) -> Adapter:
    """The language of a test: as told, else by a file's name within it or by how it is named, else Python."""
    if language:
        found: Adapter = adapters.find(language)
        return found
    for word in test.replace("::", " ").split():
        by_file: Adapter | None = adapters.of_file(word.rsplit(":", 1)[0] if ":" in word else word)
        if by_file is not None:
            return by_file
    named: Adapter = adapters.find("java" if JUNIT.fullmatch(test) else "python")
    return named


def rerun_of(command: list[str], test: str) -> list[str]:
    """The command for the one test that failed, where the runner names it as its command line does."""
    if "pytest" in command[:3] and "::" in test:
        return [*command[:3], test]
    if "unittest" in command[:3] and " " not in test:
        return [*command[:3], test]
    return command
