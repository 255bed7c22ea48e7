"""What a watched value was and became, behind engines whose stop does not say so (LLDB)."""

from collections.abc import Sequence
from typing import Any

from dapwright.core import bodies
from dapwright.core import protocol as dap
from dapwright.core.errors import DapwrightError
from dapwright.core.ledger import Record
from dapwright.core.model import Frame
from dapwright.session.connection import Connection, Stop
from dapwright.session.looking import children, scopes
from dapwright.session.values import ask_value

SECONDS = 5.0


async def value(connection: Connection, frame: int | None, expression: str) -> str | None:
    """The text of a value now; None where it cannot be read there."""
    try:
        return (await ask_value(connection, frame, expression, context="watch", seconds=SECONDS)).result
    except DapwrightError:
        return None


async def identify(connection: Connection, frame: Frame | None, expression: str) -> bodies.DataBreakpointInfoBody:
    """Ask the engine what an expression is watched by.

    lldb-dap (18 to 23) takes an expression for an address: a variable is named in its scope, anything
    else by its address and size.
    """
    asked: dict[str, Any] = {"name": expression, "frameId": frame.id if frame else None}
    if frame is not None and connection.adapter.watches_addresses:
        asked = await _in_scope(connection, frame, expression) or await _addressed(connection, frame, expression)
    return await connection.client.ask(dap.DATA_BREAKPOINT_INFO, asked)


async def _in_scope(connection: Connection, frame: Frame, name: str) -> dict[str, Any] | None:
    if not name.isidentifier():
        return None
    for scope in await scopes(connection, frame):
        if any(variable.name == name for variable in await children(connection, scope.variables_reference)):
            return {"name": name, "variablesReference": scope.variables_reference}
    return None


async def _addressed(connection: Connection, frame: Frame, expression: str) -> dict[str, Any]:
    size = await value(connection, frame.id, f"sizeof({expression})")
    found = {"name": f"&({expression})", "frameId": frame.id}
    return {**found, "bytes": int(size)} if size and size.isdigit() else found


async def remember(connection: Connection, frame: int | None, expression: str) -> None:
    """Keep a value as it is when its watch is set."""
    if (now := await value(connection, frame, expression)) is not None:
        connection.watched[expression] = now


async def fill(stop: Stop, wanted: Sequence[Record]) -> None:
    """Put the old and the new value into a stop at a watch."""
    record = next((each for each in wanted if each.kind == "watch"), None)
    if record is None or "newValue" in stop.extra or "oldValue" in stop.extra or "gone" in stop.extra:
        return
    connection = stop.connection
    frames = stop.frames or await connection.frames(stop, 1)
    now = await value(connection, frames[0].id if frames else None, record.watch)
    if now is None:
        return
    old = connection.watched.get(record.watch)
    connection.watched[record.watch] = now
    stop.extra = {
        **stop.extra,
        "expression": record.watch,
        "newValue": now,
        **({"oldValue": old} if old is not None else {}),
    }
