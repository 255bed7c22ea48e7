"""Run a program once with probes, and answer with what they saw."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dapwright import bounds
from dapwright.core import protocol as dap
from dapwright.core import redact, render
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.ledger import Record
from dapwright.core.model import Raw
from dapwright.core.probes import Probe
from dapwright.evidence import testing, verdicts
from dapwright.session import Session, arming, functions, looking, placing, running, showing, telling
from dapwright.session.placing import Wanted

CALL_SECONDS = 44.0
DEFAULT_MS, MOST_MS = 30_000, 600_000
BRIEF_LIMIT = 5000
MESSAGE = 300
NOTED = 12
"""Locals that are told of an exception that nothing stopped for."""
"""Characters of why a test failed; debug_test tells it whole."""
ENDED = ("stopped", "error")


@dataclass(slots=True)
class Asked:
    """A probe as it was asked for."""

    wanted: Wanted
    label: str = ""
    capture: tuple[str, ...] = ()
    most: int = 0
    change: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Investigation:
    """The probes of a session, and until when its run may last (the loop's time)."""

    probes: list[Record]
    loads: dict[str, Record]
    limit: float
    """Seconds that the run may last, once it runs."""
    until: float | None = None
    """The loop's time at which that is over."""
    test: bool = False
    hold: bool = False


async def place(session: Session, asked: Sequence[Asked], *, hold: bool, fresh: bool) -> list[Record]:
    """Put the probes in. Nothing is put in where one of them is wrong.

    Raises:
        UsageError: an address is wrong; the probe is named.
    """
    made = []
    for index, one in enumerate(asked):
        name = one.label or str(index)
        try:
            await placing.judge(session, [*placing.codes(one.wanted), *one.capture], one.change)
            record = await placing.make(session, one.wanted)
        except DapwrightError as wrong:
            raise type(wrong)(f"probe {name}: {wrong}", wrong.hint, by_line=wrong.by_line) from None
        record.hidden = "probe"
        record.probe = Probe(name, one.capture, one.most, dict(one.change), hold)
        made.append(record)
    for record in made:
        session.ledger.add(record)
    if not fresh:
        await arming.apply(session, made)
    return made


def watch_loading(session: Session, probes: Sequence[Record]) -> dict[str, Record]:
    """A silent probe on the first line of each file: whether it was loaded at all."""
    loads: dict[str, Record] = {}
    for file in dict.fromkeys(record.file for record in probes if record.kind == "line" and record.file):
        try:
            known = functions.structure(file)
        except UsageError:
            continue
        count = len(known.file.lines)
        first = next((n for n in range(1, count + 1) if known.is_executable(n) and known.kind(n) == "code"), None)
        if first is not None:
            record = Record("", "line", file=file, line=first, hidden="probe", probe=Probe(file, most=1, quiet=True))
            loads[file] = session.ledger.add(record)
    return loads


async def remove(session: Session, found: Investigation) -> None:
    """Take the probes out again; what they saw is kept."""
    records = [*found.probes, *found.loads.values()]
    files = list(dict.fromkeys(file for record in records for file, _ in record.lines()))
    session.ledger.remove(records)
    await arming.apply_files(session, files, functions=any(r.kind == "function" for r in records))


async def go_on(session: Session) -> None:
    """Let a paused session run: probes look at what happens from here on."""
    if session.state == "paused":
        await running.resume(session, dap.CONTINUE)


async def wait(session: Session, found: Investigation) -> None:
    """Let the program run until it ends, holds, or the time of the call or of the run is over."""
    loop = asyncio.get_running_loop()
    end = loop.time() + bounds.left(CALL_SECONDS)
    await session.until(lambda: session.state != "starting", end - loop.time())
    if session.state == "starting":  # the run's time counts once it runs
        return
    if found.until is None:
        found.until = loop.time() + found.limit
    end = min(found.until, end)
    while (left := end - loop.time()) > 0:
        await session.until(lambda: session.state in (*ENDED, "paused"), left)
        if session.state != "paused" or not await _pass(session, found):
            return


async def _pass(session: Session, found: Investigation) -> bool:
    """Go on from a stop that is no end of the investigation: an uncaught exception is noted."""
    stop = session.tell()
    if stop is None:
        return True
    if stop.reason == "exception":
        await _note_exception(session)
    if found.hold or stop.reason != "exception":
        return False
    await running.resume(session, dap.CONTINUE)
    return True


async def _note_exception(session: Session) -> None:
    stop = session.stop
    assert stop is not None
    info = await looking.exception_info(stop)
    said: dict[str, Any] = {"type": info.exception_id if info else stop.text or "unknown"}
    if info and info.description:
        said["message"] = str(redact.value("", Raw(info.description)))
    try:
        seen = await looking.stack(session, stop)
    except DapwrightError:
        seen = None
    if seen is not None and seen.frames:
        top = seen.frames[0]
        said |= {"file": top.file, "line": top.line, "function": showing.plain_name(top.name)}
        values, _ = await showing.stop_locals(session, stop, top, most=NOTED)
        said["locals"] = {row["name"]: render.clip(row["value"], 120) for row in values}
    session.findings.exceptions.append(said)


async def answer(session: Session, found: Investigation, *, detail: str = "brief") -> dict[str, Any]:
    """What was found so far."""
    session.drain()
    stopped = await telling.describe(session, detail="none" if session.state != "paused" else detail)
    kept = ("sessionId", "state", "exitCode", "signal", "error", "output", "note", "warning", "truncation")
    told = {key: stopped[key] for key in kept if key in stopped}
    if session.state == "paused":
        told |= stopped
    rows = shown_rows(session)
    told["rows"] = rows
    told["probes"] = [summary(session, found, record) for record in found.probes]
    if session.findings.exceptions:
        told["exception"] = session.findings.exceptions[-1]
    if found.test:
        _test(session, told)
    over = session.state in ENDED
    if not over and session.state in ("starting", "running"):
        told |= {"pending": True, "message": _going_on(session, found)}
    told["truncated"] = bool(session.findings.dropped) or not over
    told["next"] = None if told.get("message") else _next(session, found, told)
    return fit(told) if detail != "full" else told


def _going_on(session: Session, found: Investigation) -> str:
    if session.state == "starting":
        said = session.build.words() if session.build is not None else "the program is still being started"
        return f"{said}; call investigate with this `sessionId` to wait on, or close_debug_session to end it"
    limit = found.until is not None and asyncio.get_running_loop().time() >= found.until
    said = "the time limit has passed, and the program still runs" if limit else "the program still runs"
    return f"{said}: call investigate with this `sessionId` to go on, or close_debug_session"


def _next(session: Session, found: Investigation, told: Mapping[str, Any]) -> str:
    """The one call that makes sense after a table."""
    if session.state == "paused":
        return "evaluate_expression looks at more of this frame"
    if not told["rows"]:
        traced = session.adapter.inside is not None
        return "trace_calls shows what ran" if traced else "investigate again with probes on lines that run"
    changes = any(record.probe is not None and record.probe.change for record in found.probes)
    if changes and told.get("testPassed"):
        return "make that change in the source, then debug_test again"
    if told.get("testPassed") is False and not changes:
        return "investigate with `set` in a probe tries a repair without an edit"
    return "investigate again, with probes before the first row that is wrong"


def _test(session: Session, told: dict[str, Any]) -> None:
    said = testing.verdict(session)
    if (printed := testing.printed(session)) is not None:
        told["output"] = printed
    told["testPassed"] = said["passed"]
    if session.adapter.inside is None and session.state == "stopped":
        told["testPassed"] = verdicts.ended(session)["testPassed"]
    told["tests"] = said["tests"]
    told["uncollected"] = said["uncollected"]
    failures = [report for report in session.findings.tests if report.get("event") == "failure"]
    if failures and "exception" not in told:
        last = failures[0]
        place = {key: value for key, value in (last.get("place") or {}).items() if key in ("file", "line", "function")}
        message = render.clip(redact.value("", Raw(str(last.get("message")))), MESSAGE)
        told["exception"] = {"type": last.get("type"), "message": message, "test": last.get("test"), **place}


def shown_rows(session: Session) -> list[dict[str, Any]]:
    """The rows as they are told: with what changed since the probe's last, and threads where there are several."""
    rows = session.findings.rows
    threads = {(row["process"], row["thread"]) for row in rows}
    processes = {row["process"] for row in rows}
    numbers = {key: number for number, key in enumerate(dict.fromkeys((r["process"], r["thread"]) for r in rows), 1)}
    before: dict[Any, Mapping[str, str]] = {}
    told = []
    for row in rows:
        shown = {key: row[key] for key in ("n", "probe", "hit", "file", "line", "function")}
        if len(threads) > 1:
            shown["threadId"] = numbers[row["process"], row["thread"]]
        if len(processes) > 1:
            shown["process"] = row["process"]
        shown["values"] = row["values"]
        last = before.get(row["probe"])
        if last is not None and (changed := [name for name, value in row["values"].items() if last.get(name) != value]):
            shown["changed"] = changed
        before[row["probe"]] = row["values"]
        told.append(shown)
    return told


def summary(session: Session, found: Investigation, record: Record) -> dict[str, Any]:
    """What became of a probe."""
    probe = record.probe
    assert probe is not None
    told: dict[str, Any] = {"probe": probe.name, "bound": record.verified, "hits": record.hits}
    if record.line:
        told["line"] = record.line
    if probe.false:
        samples = [{k: str(redact.value(k, Raw(v))) for k, v in sample.items()} for sample in probe.samples if sample]
        told["conditionFalse"] = {"count": probe.false, "samples": samples}
        if session.signal:
            told["conditionFalse"]["atLeast"] = True  # it was killed: the last of the counts may not have come
    if record.warning:
        told["warning"] = record.warning
    if not record.hits and (reason := why_not(session, found, record, probe)):
        told["reason"] = reason
    return told


def why_not(session: Session, found: Investigation, record: Record, probe: Probe) -> str:
    """Why a probe has no hit: said as far as it can be known."""
    if record.message:
        return record.message
    if session.state == "starting":
        return "the program has not been started yet"
    if probe.false:
        return f"condition never true: the line ran {probe.reached} times"
    so_far = "" if session.state in ENDED else " so far"
    load = found.loads.get(record.file)
    if load is not None and load.verified and not load.hits and load.line != record.line:
        return f"not loaded: `{record.file}` was never imported or run" + so_far
    if not record.verified:
        said = next((verdict.message for verdict in record.said.values() if verdict.message), "")
        return "not bound" + (f": {said}" if said else ": the engine did not take it")
    return "line never run" + so_far


def fit(told: dict[str, Any]) -> dict[str, Any]:
    """Keep to the size of a brief answer: rows in the middle are left out, and that is said."""
    rows = told["rows"]
    keep = len(rows)
    while keep > 6 and render.size(told) > BRIEF_LIMIT:
        keep = int(keep * 0.8)
        told["rows"] = _ends(rows, keep)
    if keep < len(rows):
        told["truncated"] = True
        told["rowsOmitted"] = len(rows) - keep
        told.setdefault("message", f"{len(rows) - keep} rows left out: call again with `sessionId` and `detail: full`")
    return render.fit(told, BRIEF_LIMIT) if render.size(told) > BRIEF_LIMIT else told


def _ends(rows: Sequence[Any], most: int) -> list[Any]:
    head = (most + 1) // 2
    return [*rows[:head], *rows[len(rows) - (most - head) :]]
