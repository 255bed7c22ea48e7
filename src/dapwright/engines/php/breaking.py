"""Breakpoints: what the client wants, planted in every PHP request."""

import re
import xml.etree.ElementTree as ET
from typing import Any

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.dapserver import Answer
from dapwright.engines.php.dbgp import quoted
from dapwright.engines.php.session import REQUESTS, Arguments, Breakpoint, Session, Thread

HITS = re.compile(r"(>=|==|=|%|>|)\s*(\d+)")
WAITS = "PHP cannot be interrupted while it runs: this takes effect at its next stop"
FILTERS = [
    {"filter": "uncaught", "label": "Uncaught exceptions", "default": True},
    {"filter": "thrown", "label": "All exceptions", "default": False},
]


def hits(text: str) -> tuple[str, int] | None:
    """A hit condition in DBGp's words: `>=`, `==` or `%` and a number; None for none.

    Raises:
        UsageError: Xdebug has no such condition.
    """
    if not text.strip():
        return None
    found = HITS.fullmatch(text.strip())
    if found is None or int(found[2]) < 1:
        raise UsageError(f"`{text}` is no hit condition that Xdebug knows", "pass N, ==N, >N, >=N or %N")
    operator, number = found[1], int(found[2])
    if operator == ">":
        return ">=", number + 1
    return {"": "==", "=": "=="}.get(operator, operator), number


def words_of(session: Session, wanted: Breakpoint) -> tuple[list[str], str | None]:
    """The words of `breakpoint_set`, and its condition."""
    words = ["-r", "0"]
    if wanted.function:
        words += ["-t", "call", "-m", quoted(wanted.function)]
    else:
        kind = "conditional" if wanted.condition else "line"
        words += ["-t", kind, "-f", session.remote(wanted.file), "-n", str(wanted.line)]
    if wanted.hits:
        words += ["-h", str(wanted.hits[1]), "-o", wanted.hits[0]]
    return words, wanted.condition or None


async def plant(session: Session, thread: Thread, wanted: Breakpoint) -> None:
    """Set one breakpoint in one request."""
    words, condition = words_of(session, wanted)
    told = await thread.connection.send("breakpoint_set", *words, data=condition)
    thread.planted[wanted.id] = told.get("id", "")
    if told.get("resolved") == "resolved" or wanted.function:
        await _learn_line(session, thread, wanted)


async def _learn_line(session: Session, thread: Thread, wanted: Breakpoint) -> None:
    """A breakpoint bound at once may have moved to another line."""
    told = await thread.connection.send("breakpoint_get", "-d", thread.planted[wanted.id])
    child = next((one for one in told.iter() if one.tag.endswith("}breakpoint")), None)
    session.resolve(wanted.id, int(child.get("lineno", "0")) if child is not None else 0)


async def replace(session: Session, old: list[Breakpoint], new: list[Breakpoint]) -> list[dict[str, Any]]:
    """Take breakpoints away and set others, in every request; what became of each.

    One that is the same as before stays as it is: Xdebug would count its hits anew.
    """
    same = {_place(one): one for one in old}
    now = [same.pop(_place(wanted), wanted) for wanted in new]
    fresh = [one for one in now if one.id not in session.breakpoints]
    for gone in same.values():
        session.breakpoints.pop(gone.id, None)
    for wanted in fresh:
        session.breakpoints[wanted.id] = wanted
    failures: dict[int, str] = {}
    for thread in list(session.threads.values()):
        await _change(session, thread, list(same.values()), fresh, failures)
    waits = any(thread.running and thread.ready for thread in session.threads.values())
    return [_verdict(wanted, failures, waits, bool(session.threads)) for wanted in now]


def _place(one: Breakpoint) -> tuple[object, ...]:
    return (one.file, one.line, one.function, one.condition, one.hits)


def _verdict(wanted: Breakpoint, failures: dict[int, str], waits: bool, came: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"id": wanted.id, "verified": wanted.resolved}
    if wanted.line:
        told["line"] = wanted.line
    if wanted.id in failures:
        told["message"] = failures[wanted.id]
    elif waits and not wanted.resolved:
        told["message"] = WAITS
    elif not wanted.resolved:
        told["message"] = "bound when PHP loads the file" if came else "no PHP request has come yet"
    return told


async def _change(
    session: Session, thread: Thread, old: list[Breakpoint], new: list[Breakpoint], failures: dict[int, str]
) -> None:
    if not thread.ready:
        return  # greeting it plants all that is wanted then
    for gone in old:
        theirs = thread.planted.pop(gone.id, "")
        if theirs:
            answer = thread.connection.send("breakpoint_remove", "-d", theirs)
            if not thread.running:
                await answer
    for wanted in new:
        if thread.running:
            session.start(plant(session, thread, wanted))
            continue
        try:
            await plant(session, thread, wanted)
        except DapwrightError as refused:
            failures[wanted.id] = str(refused)


@REQUESTS.on(
    "setBreakpoints", dict, capabilities=("supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints")
)
async def set_breakpoints(session: Session, ask: Arguments) -> Answer:
    """Make the breakpoints of one file those of the client."""
    file = (ask.get("source") or {}).get("path", "")
    old = [one for one in session.breakpoints.values() if one.file == file and not one.function]
    new = [
        Breakpoint(
            session.number(),
            file=file,
            line=int(one["line"]),
            condition=one.get("condition") or "",
            hits=hits(one.get("hitCondition") or ""),
        )
        for one in ask.get("breakpoints") or []
    ]
    return {"breakpoints": await replace(session, old, new)}


@REQUESTS.on("setFunctionBreakpoints", dict, capabilities=("supportsFunctionBreakpoints",))
async def set_function_breakpoints(session: Session, ask: Arguments) -> Answer:
    """Stop where functions are called: `total`, `Cart::total`."""
    old = [one for one in session.breakpoints.values() if one.function]
    new = [
        Breakpoint(session.number(), function=one["name"].replace(".", "::").replace("->", "::"))
        for one in ask.get("breakpoints") or []
    ]
    return {"breakpoints": await replace(session, old, new)}


@REQUESTS.on(
    "setExceptionBreakpoints",
    dict,
    capabilities={"exceptionBreakpointFilters": FILTERS, "supportsExceptionOptions": True},
)
async def set_exception_breakpoints(session: Session, ask: Arguments) -> Answer:
    """Stop at exceptions: those that nobody will catch, all, or those of some classes."""
    session.filters = tuple(ask.get("filters") or ())
    names = [part["names"][0] for one in ask.get("exceptionOptions") or [] for part in (one.get("path") or [])[1:]]
    more = [n for o in ask.get("exceptionOptions") or [] for p in (o.get("path") or [])[1:] for n in p["names"][1:]]
    session.classes = tuple(dict.fromkeys([*names, *more]))
    for thread in session.threads.values():
        if thread.ready:
            session.start(catch(session, thread))
    return {}


async def catch(session: Session, thread: Thread) -> None:
    """Make the exception breakpoints of one request those of the client."""
    for theirs in thread.catches:
        await thread.connection.send("breakpoint_remove", "-d", theirs)
    thread.catches.clear()
    wanted = ["*"] if session.filters else list(session.classes)
    for name in wanted:
        told: ET.Element = await thread.connection.send("breakpoint_set", "-t", "exception", "-x", quoted(name))
        thread.catches.append(told.get("id", ""))
