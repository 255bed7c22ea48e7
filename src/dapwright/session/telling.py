"""The stop answer: one shape for every call that can end in a stop."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from dapwright import files
from dapwright.core import bodies, render
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.ledger import Record
from dapwright.session import looking, showing, unhit
from dapwright.session.connection import Stop
from dapwright.session.session import Session

CALLERS = 3
BRIEF_LIMIT = 5000
CHANGED = "\n(this file changed since the launch: the lines that run may be others)"
END = "the program has ended; restart_debugging runs it again, close_debug_session ends the session"
GONE = "the process has ended, or has let go of its debugger; attach_to_process in a new session attaches again"
ENDING_SECONDS = 8.0
"""How long the end of a program may take to be known, once its debugger has hung up."""
DETAILS = ("brief", "none", "full")


async def describe(
    session: Session, *, detail: str = "brief", pending: bool = False, message: str = ""
) -> dict[str, Any]:
    """Say where the program is: paused with what it stands at, running, or ended with how.

    `detail`: `brief` fits 5,000 characters, `none` leaves source, locals and stack out,
    `full` is bounded by the server's ceiling alone.
    """
    if detail not in DETAILS:
        raise UsageError(f"`{detail}` is not a detail", "pass `brief`, `none` or `full`")
    answer: dict[str, Any] = {"sessionId": session.id, "state": session.state}
    found: dict[str, Any] = {}
    if session.state == "paused" and (stop := session.tell()) is not None:
        found = await _paused(session, stop, detail)
        if stop.connection.over:  # it ended as we looked: how is known in a moment
            await session.until(lambda: session.state != "running", ENDING_SECONDS)
    if session.state == "paused" and found:
        answer |= found
    elif session.state in ("stopped", "error"):  # perhaps only since we began to look
        answer |= ended(session)
    else:
        answer["pending"] = True
        answer["message"] = message or waiting(session)
    answer["state"] = session.state
    answer |= _news(session)
    return render.fit(answer, BRIEF_LIMIT) if detail != "full" else answer


def waiting(session: Session) -> str:
    """What is armed while the program runs, and what to call next."""
    if session.state == "starting" and session.invitation:
        return f"listening; start the program with {session.invitation}, then call wait_for_stop"
    if session.state == "starting" and session.build is not None:
        return f"{session.build.words()}; call wait_for_stop to wait on, or close_debug_session to end it"
    if session.state == "starting" and session.building:
        return f"`{session.building[:200]}` runs still; call wait_for_stop to wait on, or close_debug_session to end it"
    armed = [where(record) for record in session.ledger.shown() if record.armed]
    still = "running" if session.state == "paused" else f"still {session.state}"  # it was told to go on just now
    said = f"{still}; armed: {', '.join(armed[:6])}" if armed else f"{still}; no breakpoint is armed"
    if session.attachment is not None and armed and not any(record.hits for record in session.ledger.shown()):
        said += "; none hit yet: where the program's sources lie elsewhere, attach with `pathMappings`"
    return said + "; call wait_for_stop to wait on, or pause_execution"


def where(record: Record) -> str:
    """A breakpoint in a few words: `b1 orders.py:24`."""
    if record.kind == "line":
        return f"{record.id} {record.file.rsplit('/', 1)[-1]}:{record.line}"
    return f"{record.id} {record.kind} {record.function or record.watch}"


async def _paused(session: Session, stop: Stop, detail: str) -> dict[str, Any]:
    if stop.reason == "exception" and not (stop.exception and session.plan and session.plan.post_mortem):
        info, seen = await asyncio.gather(looking.exception_info(stop), _stack(session, stop))
    else:
        info, seen = None, await _stack(session, stop)
    answer: dict[str, Any] = {"lastStop": last_stop(session, stop, info), "stopReason": stop.reason}
    if seen is not None and seen.frames:
        answer |= await _place(session, seen, detail)
    if stop.reason == "exception" and (mine := await showing.user_frames(session, stop, values=detail != "none")):
        said = answer["lastStop"]["exceptionInfo"]
        answer["lastStop"]["exceptionInfo"] = {**said, "details": {**said.get("details", {}), "userFrames": mine}}
    answer |= _extras(stop)
    if stop.note:
        session.notes.append(stop.note)
    if others := await _also(session, stop):
        answer["alsoPaused"] = others
    return answer


async def _stack(session: Session, stop: Stop) -> looking.Stack | None:
    try:
        return await looking.stack(session, stop)
    except DapwrightError as failure:
        session.warnings.append(f"the stack could not be read: {failure}")
        return None


def last_stop(session: Session, stop: Stop, info: bodies.ExceptionInfoBody | None) -> dict[str, Any]:
    """Why it stands."""
    said: dict[str, Any] = {"reason": stop.reason}
    if stop.raw_reason != stop.reason:
        said["rawReason"] = stop.raw_reason
    if stop.thread is not None:
        said["threadId"] = looking.show_thread(session, stop.connection, stop.thread)
    if process := stop.connection.label or stop.extra.get("process"):
        said["process"] = process
    said["description"], said["text"] = stop.description, stop.text
    said["hitBreakpointIds"] = stop.hits
    if info is not None:
        said["exceptionInfo"] = stop.exception = exception(info, session.adapter.unhandled)
        if info.details and info.details.dapwright_repeated:
            session.notes.append("this exception was told before, where it was raised; now nobody has caught it")
    elif stop.reason == "exception":
        said["exceptionInfo"] = stop.exception or _untold(stop, session.adapter.unhandled)
    return said


def _untold(stop: Stop, unhandled: Collection[str]) -> dict[str, Any]:
    """An exception that the engine tells nothing more of than its stop does."""
    if stop.description in unhandled:
        return {"exceptionId": stop.description, "breakMode": "unhandled", "description": stop.text}
    return {"exceptionId": stop.text or stop.description or "unknown", "breakMode": "unknown"}


def exception(info: bodies.ExceptionInfoBody, unhandled: Collection[str] = ()) -> dict[str, Any]:
    """What was raised, in the engine's words, and what led to it; `unhandled` are ids that tell their `breakMode`."""
    mode = info.break_mode or ("unhandled" if info.exception_id in unhandled else "unknown")
    said: dict[str, Any] = {"exceptionId": showing.plain_name(info.exception_id), "breakMode": mode}
    said["description"] = info.description or (info.details.message if info.details else None)
    chain = []
    inner = info.details.inner_exception if info.details else None
    while inner:
        row = {"type": inner[0].full_type_name or inner[0].type_name, "message": inner[0].message}
        relation = (inner[0].evaluate_name or "").rpartition(".")[2].strip("_")
        chain.append({**row, "relation": relation} if relation in ("cause", "context") else row)
        inner = inner[0].inner_exception
    if chain:
        said["details"] = {"exceptionChain": chain}
    return said


async def _place(session: Session, seen: looking.Stack, detail: str) -> dict[str, Any]:
    top = seen.frames[0]
    place = showing.location(top)
    answer: dict[str, Any] = {"location": place}
    lines = showing.source_lines(top.file)
    if lines and 0 < top.line <= len(lines):
        answer["content"] = lines[top.line - 1].strip()
    if detail == "none":
        return answer
    if lines and 0 < top.line <= len(lines):
        answer["source"] = render.source_window(lines, top.line)
        if session.launched_at and files.written_after(top.file, session.launched_at):
            answer["source"] += CHANGED
    most = render.most_rows(BRIEF_LIMIT if detail == "brief" else render.CEILING_BYTES)
    answer["locals"], more = await showing.stop_locals(session, seen.stop, top, most=most)
    answer |= {"truncation": render.truncation(more, 0)} if more else {}
    answer |= showing.returned(answer["locals"]) if session.mover == "step_out" and seen.stop.reason == "step" else {}
    callers = seen.frames[1 : 1 + (CALLERS if detail == "brief" else 50)]
    answer["stack"] = [{"id": looking.show_frame(session, seen.stop, f), **showing.frame_row(f)} for f in callers]
    if stands := unhit.merged(session, seen.stop.hits, top):
        session.notes.append(stands)
    if seen.kept is not None:
        session.notes.append("it stands in internal code; the frame is shown all the same")
    return answer


def _extras(stop: Stop) -> dict[str, Any]:
    said: dict[str, Any] = {}
    extra: Mapping[str, Any] = stop.extra
    if "newValue" in extra or "oldValue" in extra:
        said["watch"] = {
            "expression": extra.get("expression"),
            "old": extra.get("oldValue"),
            "new": extra.get("newValue"),
        }
    if "returnValue" in extra:
        said["returnValue"] = extra["returnValue"]
    return said


async def _also(session: Session, stop: Stop) -> list[dict[str, Any]]:
    """Other threads or processes that stand at a stop which nobody was told."""
    rows = []
    for other in session.stops:
        if other is stop or other.told:
            continue
        row: dict[str, Any] = {"reason": other.reason}
        if other.thread is not None:
            row["threadId"] = looking.show_thread(session, other.connection, other.thread)
        row["process"] = other.connection.label
        if other.frames:
            row |= {"file": other.frames[0].file, "line": other.frames[0].line}
        rows.append(row)
    return rows


def ended(session: Session) -> dict[str, Any]:
    """How it ended: the code only where it is known, and the breakpoints that were never reached."""
    said: dict[str, Any] = {"exitCode": session.exit_code, "signal": session.signal}
    if session.error is not None:
        said["error"] = str(session.error) + (f" ({session.error.hint})" if session.error.hint else "")
        said["code"] = session.error.code
    said["unhitBreakpoints"] = [unhit.row(session, r) for r in session.ledger.shown() if not r.hits]
    if session.state == "stopped":
        said["message"] = END if session.attachment is None else GONE
    return said


def _news(session: Session) -> dict[str, Any]:
    """What is told once: output since the last answer, notes and warnings."""
    text, session.output_told = session.transcript.unread(session.output_told)
    news: dict[str, Any] = {"output": text}
    if session.adapter.reports:
        session.warnings += session.transcript.reports(session.adapter.reports)
    session.warnings += session.ledger.moves.values() if session.addressing != "line" else ()
    session.ledger.moves.clear()
    if session.trigger_result is not None:
        news["triggerResult"], session.trigger_result = session.trigger_result, None
    if session.notes:
        news["note"] = "; ".join(dict.fromkeys(session.notes))
    if session.warnings:
        news["warning"] = "; ".join(dict.fromkeys(session.warnings))
    session.notes, session.warnings = [], []
    return news
