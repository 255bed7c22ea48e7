"""Run a test under the debugger, and say what failed: where, with what, out of what."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dapwright.core import mentioned, redact, render
from dapwright.core.adapter import Adapter
from dapwright.core.errors import DapwrightError, NotSupported
from dapwright.core.model import Frame, Launch, Raw, TestCommand, TestTarget, Variable
from dapwright.session import Session, launching, looking, probing, telling
from dapwright.session.connection import Connection

USER_FRAMES = 6
FRAME_LOCALS = 20
ENDPOINT = "{endpoint}"


async def command_of(session: Session, target: TestTarget) -> TestCommand:
    """Ask the language for the command of a test.

    Raises:
        NotSupported: no runner of this language is known here.
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
        told["printed"] = render.clip(redact.value("", Raw(str(last["output"]))), 600)
    told["userFrames"] = await user_frames(session)
    return told


async def user_frames(session: Session) -> list[dict[str, Any]]:
    """The program's own frames at the stop, innermost first, each with its locals."""
    stop = session.stop
    if stop is None:
        return []
    try:
        seen = await looking.stack(session, stop)
    except DapwrightError:
        return []
    places = {(f.file, f.line, f.name): f for f in seen.frames if f.hint != "subtle" and f.file}
    mine = list(places.values())[:USER_FRAMES]
    found = await asyncio.gather(
        *(telling_first(session, stop.connection, frame) for frame in mine), return_exceptions=True
    )
    rows = []
    for frame, variables in zip(mine, found, strict=True):
        shown = [] if isinstance(variables, BaseException) or session.explicit else variables
        row = {"function": telling.plain_name(frame.name), "file": frame.file, "line": frame.line}
        values = [
            {"name": v.name, "value": render.clip(redact.value(v.name, v.value, v.type), 200), "type": v.type or None}
            for v in shown[:FRAME_LOCALS]
        ]
        rows.append({**row, "locals": values})
    return rows


async def telling_first(session: Session, connection: Connection, frame: Frame) -> list[Variable]:
    """A frame's variables: those in its statement first, then by how near above it they stand.

    A module, a class or a function tells nothing of the failure unless the statement names it; debugpy
    keeps the classes and functions of a frame in groups of their own (1.8.22).
    """
    lines = telling.source_lines(frame.file)
    here = 0 < frame.line <= len(lines)
    within = set(mentioned.NAME.findall(" ".join(mentioned.statement(lines, frame.line)))) if here else set[str]()
    page = await looking.locals_of(session, connection, frame, special=True)
    kept = [one for one in page.variables if not looking.hidden(one) and (one.name in within or not _noise(one))]
    for group in page.variables:
        if within and group.name in looking.SPECIAL and group.reference:
            inner = await looking.children(connection, group.reference)
            kept += [one for one in inner if one.name in within and not looking.hidden(one)]
    ranks = mentioned.ranks(lines, frame.line) if here else {}
    return sorted(kept, key=lambda one: ranks.get(one.name, len(ranks)))


def _noise(variable: Variable) -> bool:
    return variable.type in ("module", "function", "type", "builtin_function_or_method")


def _safe(text: str) -> str:
    return str(redact.value("", Raw(text)))


def find_adapter(test: str, language: str | None, adapters: Any) -> Adapter:
    """The language of a test: as told, else by a file's name within it, else Python."""
    if language:
        found: Adapter = adapters.find(language)
        return found
    for word in test.replace("::", " ").split():
        by_file: Adapter | None = adapters.of_file(word.rsplit(":", 1)[0] if ":" in word else word)
        if by_file is not None:
            return by_file
    python: Adapter = adapters.find("python")
    return python


def rerun_of(command: list[str], test: str) -> list[str]:
    """The command for the one test that failed, where the runner names it as its command line does."""
    if "pytest" in command[:3] and "::" in test:
        return [*command[:3], test]
    if "unittest" in command[:3] and " " not in test:
        return [*command[:3], test]
    return command
