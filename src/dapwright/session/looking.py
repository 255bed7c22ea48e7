"""Looking at a stopped program: threads, frames, variables, values. Nothing here moves it."""

import ast
import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from dapwright.core import bodies, state
from dapwright.core import protocol as dap
from dapwright.core.errors import AdapterError, DapwrightError, WrongState
from dapwright.core.handles import Target
from dapwright.core.model import Frame, Raw, Variable
from dapwright.session.connection import FRAMES, Connection, Stop
from dapwright.session.running import standing
from dapwright.session.session import Session

MAX_FRAMES = 1000
FEW = 4
"""Frames of the program that are worth a second question: the one that stands, and three callers."""
TASKS = 50
EVALUATE_SECONDS = 30.0
LOOK_SECONDS = 10.0
SPECIAL = frozenset({"special variables", "function variables", "class variables"})
"""Groups that debugpy puts beside the variables; not variables of the program."""
NAMELESS = "*"
"""What a child without a name is shown as: what a pointer of Go points to has none (Delve 1.27)."""


@dataclass(slots=True)
class Stack:
    """A thread's frames as an agent should see them."""

    stop: Stop
    frames: list[Frame]
    hidden: int = 0
    kept: Frame | None = None
    """The internal frame that it stands in, shown all the same."""


@dataclass(slots=True)
class Page:
    """Some variables, and how many there are."""

    variables: list[Variable]
    total: int | None = None
    attributes: int = 0
    """How many of them are none of the `total` items: a map's `len()`, an array's class."""
    missing: list[str] = field(default_factory=list[str])
    frame: Frame | None = None
    scope: str = ""
    note: str = ""


async def stack(session: Session, stop: Stop, *, internals: bool = False, levels: int = FRAMES) -> Stack:
    """Return a stopped thread's frames; internal ones are hidden and counted, never to an empty stack."""
    frames = await stop.connection.frames(stop, min(levels, MAX_FRAMES))
    if internals or not frames:
        return Stack(stop, frames)
    internal = session.adapter.internal_frame
    shown = [frame for frame in frames if not internal(frame)]
    if len(shown) < FEW and (stop.total_frames or 0) > len(frames):  # the callers are behind a pile of internal ones
        frames = await stop.connection.frames(stop, MAX_FRAMES)
        shown = [frame for frame in frames if not internal(frame)][:levels]
    if not shown:
        return Stack(stop, frames)
    keeps = stop.reason in KEEPS_FRAME and not (stop.reason == "entry" and session.attachment is not None)
    kept = frames[0] if internal(frames[0]) and keeps else None
    if kept is not None:
        shown.insert(0, kept)
    return Stack(stop, shown, len(frames) - len(shown), kept)


KEEPS_FRAME = frozenset({"breakpoint", "function breakpoint", "data breakpoint", "step", "goto", "entry"})


def show_frame(session: Session, stop: Stop, frame: Frame) -> int:
    """Our id of a frame."""
    connection = stop.connection
    return session.handles.show("frame", connection.number, connection.epoch, frame.id)


def show_thread(session: Session, connection: Connection, thread: int) -> int:
    """Our id of a thread."""
    return session.handles.show("thread", connection.number, -1, thread)


def show_variables(session: Session, connection: Connection, variable: Variable, frame: int | None) -> int:
    """Our id for a variable's children; 0 where it has none."""
    if not variable.reference:
        return 0
    return session.handles.show(
        "variables",
        connection.number,
        connection.epoch,
        variable.reference,
        expression=variable.evaluate_name,
        size=_size(connection, variable),
        frame=frame,
    )


def _size(connection: Connection, variable: Variable) -> int | None:
    items = connection.adapter.items
    return items.count(variable) if variable.indexed is None and items else variable.indexed


def connection_of(session: Session, target: Target) -> Connection:
    return session.connections[target.connection]


async def threads(session: Session) -> list[tuple[Connection, bodies.Thread]]:
    """Every thread of every process of the program."""
    state.require(session.state, "list threads")
    living = [c for c in session.connections.values() if not c.over and c.configured]
    answers = await asyncio.gather(*(c.client.ask(dap.THREADS) for c in living), return_exceptions=True)
    found: list[tuple[Connection, bodies.Thread]] = []
    for connection, answer in zip(living, answers, strict=True):
        if isinstance(answer, bodies.ThreadsBody):
            found += [(connection, thread) for thread in answer.threads]
        elif isinstance(answer, BaseException) and len(living) == 1:
            raise answer
    return found


async def tasks(session: Session) -> list[dict[str, Any]]:
    """The tasks of the event loops that stand still, each with where it waits; none where there is no loop."""
    rows: list[dict[str, Any]] = []
    if not session.adapter.tasks or session.explicit:
        return rows
    for stop in session.stops:
        try:
            frames = await stop.connection.frames(stop, 1)
            arguments = {"expression": session.adapter.tasks, "context": "watch", "frameId": frames[0].id}
            told = (await stop.connection.client.ask(dap.EVALUATE, arguments, LOOK_SECONDS)).result
            found = json.loads(ast.literal_eval(told))
        except (DapwrightError, ValueError, SyntaxError, LookupError):
            continue
        for name, function, file, line, current in found[:TASKS]:
            rows.append({"name": name, "function": function, "file": file, "line": line, "current": current or None})
    return rows


def find_frame(session: Session, shown: int) -> tuple[Connection, Frame, Stop]:
    """Return the frame that our id stands for."""
    target = session.handles.find("frame", shown, session.epochs)
    connection = connection_of(session, target)
    for stop in session.stops:
        if stop.connection is connection:
            for frame in stop.frames or []:
                if frame.id == target.engine_id:
                    return connection, frame, stop
            return connection, Frame(target.engine_id, "", "", 0), stop
    raise WrongState("the program is running", "call wait_for_stop")


async def top_frame(session: Session) -> tuple[Connection, Frame, Stop]:
    """Return the innermost frame worth showing of the stop that was told."""
    state.require(session.state, "look at variables")
    stop = standing(session)
    seen = await stack(session, stop)
    if not seen.frames:
        raise AdapterError("the paused thread has no frames", "call list_threads and pass another `threadId`")
    return stop.connection, seen.frames[0], stop


async def scopes(connection: Connection, frame: Frame) -> list[bodies.Scope]:
    """A frame's scopes."""
    return (await connection.client.ask(dap.SCOPES, {"frameId": frame.id}, LOOK_SECONDS)).scopes


async def locals_of(session: Session, connection: Connection, frame: Frame, *, special: bool = False) -> Page:
    """The variables of a frame's own scopes, innermost first, each name once."""
    told = await scopes(connection, frame)
    mine = [s for s in told if s.presentation_hint == "locals" or s.name.lower().startswith("local")] or [
        s for s in told if not s.expensive
    ][:1]
    page = Page([], frame=frame, scope=mine[0].name if mine else "")
    seen: set[str] = set()
    for scope in mine:
        for variable in await children(connection, scope.variables_reference):
            if variable.name not in seen and (special or not hidden(variable)):
                seen.add(variable.name)
                page.variables.append(variable)
    page.total = len(page.variables)
    return page


def hidden(variable: Variable) -> bool:
    """A pseudo variable of the engine, or a name that the language keeps for itself.

    `@py_` is pytest's rewriting, `.autotmp_` Go's compiler's.
    """
    name = variable.name
    return name in SPECIAL or name.startswith(("@py_", ".autotmp_")) or (name.startswith("__") and name.endswith("__"))


async def children(
    connection: Connection,
    reference: int,
    *,
    start: int | None = None,
    count: int | None = None,
    only: str | None = None,
    seconds: float = LOOK_SECONDS,
) -> list[Variable]:
    """What the engine shows under a reference."""
    arguments: dict[str, Any] = {"variablesReference": reference}
    if start is not None:
        arguments["start"] = start
    if count is not None:
        arguments["count"] = count
    if only is not None:
        arguments["filter"] = only
    body = await connection.client.ask(dap.VARIABLES, arguments, seconds)
    return [variable_of(told) for told in body.variables]


def variable_of(told: bodies.Variable) -> Variable:
    """A variable of the protocol as one of ours."""
    return Variable(
        name=told.name,
        value=Raw(told.value),
        type=told.type or "",
        reference=told.variables_reference,
        evaluate_name=told.evaluate_name or "",
        indexed=told.indexed_variables,
        named=told.named_variables,
        hint=(told.presentation_hint.kind or "") if told.presentation_hint else "",
    )


async def exception_info(stop: Stop) -> bodies.ExceptionInfoBody | None:
    """What exception a thread stands at; None where the engine cannot tell."""
    if stop.reason != "exception" or not stop.connection.capabilities.supports_exception_info_request:
        return None
    try:
        return await stop.connection.client.ask(dap.EXCEPTION_INFO, {"threadId": stop.thread or 0})
    except DapwrightError:
        return None
