"""Steps of an engine that end elsewhere than they are asked to (`Adapter.ending`; rdbg 1.4.0).

A step out ends at the function's own end, where a variable holds what it returns: one step more is
made, to the caller. A step that a breakpoint cut short goes on after the next continue, and its stop
is none that anybody asked for.
"""

from typing import Any

from dapwright.core import protocol as dap
from dapwright.core import redact, render
from dapwright.core.errors import DapwrightError
from dapwright.session import looking
from dapwright.session.connection import FRAMES, Connection, Stop
from dapwright.session.session import Session

LONGEST = 1024
"""Characters of a value."""


def is_left_over(session: Session, stop: Stop) -> bool:
    """Whether it is the stop of a step that was cut short before."""
    return session.adapter.ending is not None and stop.reason == "step" and not stop.connection.out.stepping


async def passes(session: Session, stop: Stop) -> bool:
    """Go on from a function's own end to its caller; whether the stop was there, and is not to be told."""
    out, ending = stop.connection.out, session.adapter.ending
    leaves, out.ending = out.ending, False
    if ending is None or stop.reason != "step":
        return False
    if out.returned is not None:
        stop.extra, out.returned = {**stop.extra, "returnValue": out.returned}, None
    if not leaves:
        return False
    try:
        frames = await stop.connection.frames(stop, FRAMES)
        page = await looking.locals_of(session, stop.connection, frames[0], special=True) if frames else None
    except DapwrightError:
        return False
    held = next((v for v in page.variables if v.name in ending.names), None) if page else None
    if held is None:
        return False
    shown = render.clip(redact.value(held.name, held.value, held.type), LONGEST)
    out.returned = {"value": shown, "type": held.type or None}
    await resume(stop.connection, stop, dap.NEXT)
    return True


async def resume(connection: Connection, stop: Stop, request: dap.Request[Any]) -> None:
    """Go on from a stop that is not told."""
    connection.epoch += 1
    connection.running = True
    await connection.client.ask(request, {"threadId": stop.thread or 0})
