"""A step out that ends at the function's own end (`Adapter.ending`; rdbg 1.4.0).

A variable holds there what is returned: one step more is made, to the caller.
"""

from dapwright.core import protocol as dap
from dapwright.core import redact, render
from dapwright.core.errors import DapwrightError
from dapwright.session import looking, strides
from dapwright.session.connection import FRAMES, Stop
from dapwright.session.session import Session


async def passes(session: Session, stop: Stop) -> bool:
    """Go on from a function's own end to its caller; whether the stop was there, and is not to be told."""
    out, ending = stop.connection.out, session.adapter.ending
    if ending is None or stop.reason != "step":
        return False
    leaves, out.ending = out.ending, False
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
    shown = render.clip(redact.value(held.name, held.value, held.type), render.VALUE_LIMIT)
    out.returned = {"value": shown, "type": held.type or None}
    await strides.resume(stop.connection, dap.NEXT, stop.thread)
    return True
