"""Frames and variables as answers show them: redacted, cut, with what changed."""

import asyncio
from collections.abc import Mapping
from typing import Any

from dapwright import files
from dapwright.core import redact, relevance, render, revisits
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.model import Frame, Variable
from dapwright.session import looking
from dapwright.session.connection import Connection, Stop
from dapwright.session.session import Session

VALUE_LIMIT = 1024
USER_FRAMES = 5
FRAME_LOCALS, FRAME_VALUE = 20, 200
"""Locals of each of the program's frames at a failure, and how long a value of them is told."""
FRAME_SECONDS = 2.0
RETURNED = "(return) "
"""How debugpy begins the name of what a function just left gave back, among its caller's variables (1.8.22)."""
UNTELLING = frozenset({"module", "function", "type", "builtin_function_or_method"})
"""Among the locals of a module these tell nothing of a failure."""


def location(frame: Frame) -> dict[str, Any]:
    """A frame as a place."""
    return {"file": frame.file, "line": frame.line, "column": frame.column or None, "function": plain_name(frame.name)}


def frame_row(frame: Frame) -> dict[str, Any]:
    """A frame as a row of a stack."""
    return {"name": plain_name(frame.name), "file": frame.file, "line": frame.line}


def plain_name(name: str) -> str:
    """A function's name without debugpy's remark about the current frame (1.8.22, userUnhandled)."""
    return name.removesuffix(" (Current frame)").partition("       (note: ")[0]


async def stop_locals(session: Session, stop: Stop, frame: Frame, *, most: int) -> tuple[list[dict[str, Any]], int]:
    """The variables of the frame that a stop is told by, what changed since this frame's last stop first.

    Only the first `most` become rows, since each is searched for secrets; also told is how many more there are.
    """
    if session.explicit:
        session.notes.append("values are shown by name only: call get_local_variables with `names`")
        return [], 0
    connection = stop.connection
    try:
        found = (await looking.locals_of(session, connection, frame)).variables
    except DapwrightError as failure:
        session.warnings.append(f"the locals could not be read: {failure}")
        return [], 0
    before = _before(session, stop, frame, {v.name: str(v.value) for v in found})
    changed = {v.name for v in found if before is not None and before.get(v.name) != str(v.value)}
    ranked = sorted(found, key=lambda v: (not v.name.startswith(RETURNED), v.name not in changed))
    shown = session.handles.show("frame", connection.number, connection.epoch, frame.id)
    rows = [variable_row(session, connection, v, frame=shown) for v in ranked[:most]]
    for row in rows:
        row |= {"changed": True} if row["name"] in changed else {}
    return rows, len(found) - len(rows)


def _before(session: Session, stop: Stop, frame: Frame, now: Mapping[str, str]) -> Mapping[str, str] | None:
    """What this very frame held at its stop before; None where it was not looked at yet."""
    frames = stop.frames or [frame]
    stack = revisits.activations(
        (stop.connection.number, stop.thread),
        frames,
        stop.total_frames,
        keeps_ids=session.adapter.keeps_frame_ids,
    )
    index = next((index for index, one in enumerate(frames) if one.id == frame.id), 0)
    return session.revisits.look(stack, index, stop=stop.number, now=now)


async def user_frames(
    session: Session, stop: Stop, *, most: int = USER_FRAMES, values: bool = True
) -> list[dict[str, Any]]:
    """The program's own frames of a stop, innermost first, each with its locals.

    Values are cut shorter than those of the frame it stands in. A frame whose values were not told
    within `FRAME_SECONDS` is told without `locals`.
    """
    internal = session.adapter.internal_frame
    places = {
        (f.file, f.line, f.name): f for f in stop.frames or () if f.file and f.hint != "subtle" and not internal(f)
    }
    mine = list(places.values())[:most]
    if session.explicit or not values:
        return [_whose(frame) for frame in mine]
    reading = [asyncio.ensure_future(_telling(session, stop.connection, frame)) for frame in mine]
    if reading:
        await asyncio.wait(reading, timeout=FRAME_SECONDS)
    rows = []
    for frame, telling in zip(mine, reading, strict=True):
        row = _whose(frame)
        if not telling.done():
            telling.cancel()
        elif not telling.cancelled() and telling.exception() is None:
            row["locals"] = [_brief(variable) for variable in telling.result()]
        rows.append(row)
    return rows


def _whose(frame: Frame) -> dict[str, Any]:
    return {"function": plain_name(frame.name), "file": frame.file, "line": frame.line}


async def _telling(session: Session, connection: Connection, frame: Frame) -> list[Variable]:
    """The variables that say something of a failure, those in the frame's statement and what made them first.

    A module, a class or a function says nothing unless the statement names it; debugpy keeps the classes
    and functions of a frame in groups of their own (1.8.22).
    """
    lines = source_lines(frame.file)
    within = set(relevance.names(" ".join(relevance.statement(lines, frame.line)))) if lines else set[str]()
    page = await looking.locals_of(session, connection, frame, special=True)
    found = [one for one in page.variables if not looking.hidden(one)]
    for group in page.variables:
        if within and group.name in looking.SPECIAL and group.reference:
            found += [one for one in await looking.children(connection, group.reference) if one.name in within]
    known = {one.name: one for one in found if one.name in within or one.type not in UNTELLING}
    return [known[name] for name in relevance.order(known, lines, frame.line)[:FRAME_LOCALS]]


def _brief(variable: Variable) -> dict[str, Any]:
    shown = render.clip(redact.value(variable.name, variable.value, variable.type), FRAME_VALUE)
    return {"name": variable.name, "value": shown, "type": variable.type or None}


def variable_row(
    session: Session, connection: Connection, variable: Variable, *, frame: int | None = None, limit: int = VALUE_LIMIT
) -> dict[str, Any]:
    """A variable as a row: redacted, then cut."""
    safe = redact.value(variable.name, variable.value, variable.type)
    name = variable.name or looking.NAMELESS
    row: dict[str, Any] = {"name": name, "value": render.clip(safe, limit) if limit else safe}
    if variable.type:
        row["type"] = variable.type
    if reference := looking.show_variables(session, connection, variable, frame):
        row["variablesReference"] = reference
    return row


def returned(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the function just left gave back, where the engine shows it among the caller's variables."""
    row = next((row for row in reversed(rows) if row["name"].startswith(RETURNED)), None)
    return {"returnValue": {"value": row["value"], "type": row.get("type")}} if row else {}


def source_lines(file: str) -> list[str]:
    """A source file's lines; none where it has no file or cannot be read."""
    if not file or file.startswith("<"):
        return []
    try:
        return list(files.read(file).lines)
    except UsageError:
        return []
