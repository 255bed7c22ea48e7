"""Finish a step that a breakpoint has cut short which nobody wanted a stop of.

Its condition, count or message is judged here, so that the engine stops at it; most engines (Delve 1.27, bash-dap
0.3, V8, the JVM) give the step up by that, and a plain continue would run on far past where the step was to end.
"""

from typing import TYPE_CHECKING, Any

from dapwright.core import protocol as dap
from dapwright.core.errors import DapwrightError
from dapwright.core.ledger import Keeps, Record, hits_by_engine, logs_by_engine
from dapwright.core.returning import Stride
from dapwright.session.connection import Connection, Stop, stack_of

if TYPE_CHECKING:
    from dapwright.session.session import Session

DEEPEST = 1000
"""Frames of a stack that are counted; a deeper step that is cut short ends where it was cut."""
FORWARD = (dap.NEXT, dap.STEP_IN, dap.STEP_OUT)
CUT = "the step was cut short here, by a breakpoint that asked for no stop"


async def begin(session: "Session", stop: Stop, request: dap.Request[Any], keep: Keeps) -> None:
    """Keep where a step begins, if it may be cut short; any other way to go on ends the one that was."""
    connection, out = stop.connection, stop.connection.out
    out.cut = request is dap.CONTINUE and (out.cut or (out.stepping and stop.raw_reason != "step"))
    out.stride, out.stepping = None, request in FORWARD
    out.ending, out.returned = request is dap.STEP_OUT, None
    if request not in FORWARD or stop.thread is None or connection.instrumented:
        return
    if not any(_judged_here(record, session.ledger.kept(record, keep)) for record in session.ledger):
        return
    try:
        depth, line = await _stand(connection, stop.thread)
    except DapwrightError:
        return
    out.stride = Stride(request, stop.thread, depth, line)


def _judged_here(record: Record, keep: Keeps) -> bool:
    """The engine stops at it more often than the program is to stand."""
    if record.probe is not None:
        return True
    counted = bool(record.hit_condition) and hits_by_engine(record, keep) is None
    logged = record.logs and not logs_by_engine(record, keep)
    return counted or logged or bool(record.condition and not (keep.conditions and keep.one_meaning))


async def _stand(connection: Connection, thread: int) -> tuple[int, int]:
    """How many frames a thread's stack has, and the line of the innermost."""
    body = await connection.client.ask(dap.STACK_TRACE, stack_of(Stop(connection, thread, "", ""), DEEPEST))
    frames = body.stack_frames
    return len(frames), frames[0].line if frames else 0


async def goes_on(session: "Session", stop: Stop) -> bool:
    """Go on from a stop that nobody asked for; False where a step has come to its end by it, which is told."""
    connection = stop.connection
    stride = connection.out.stride
    if stride is None or not (stop.all_threads or stop.thread == stride.thread):
        await resume(connection, dap.CONTINUE, stop.thread)
        return True
    request = await _rest(session, stride, stop)
    if request is None:
        stop.reason, stop.engine_hits = "step", ()
        return False
    stride.mended = request is not dap.CONTINUE
    try:
        await resume(connection, request, stop.thread if request is dap.CONTINUE else stride.thread)
    except DapwrightError:
        if connection.over or connection.terminated:
            return True
        connection.running = False
        stop.reason, stop.engine_hits, stop.note = "step", (), CUT
        return False
    return True


async def _rest(session: "Session", stride: Stride, stop: Stop) -> dap.Request[Any] | None:
    """What is left to do of a step; None where it has ended at this stop."""
    same = stop.thread == stride.thread
    try:
        depth, line = await _stand(stop.connection, stride.thread)
    except DapwrightError:
        return dap.CONTINUE  # its thread has ended
    if max(depth, stride.depth) >= DEEPEST and stride.request is not dap.STEP_IN:
        stop.note = CUT if same else ""
        return None if same else dap.CONTINUE
    inside = depth >= stride.depth if stride.request is dap.STEP_OUT else depth > stride.depth
    if inside and stride.request is not dap.STEP_IN:
        return dap.CONTINUE if session.adapter.keeps_steps else dap.STEP_OUT
    if depth == stride.depth and line == stride.line:
        request: dap.Request[Any] = stride.request
        return request
    return None if same else dap.NEXT


async def passes(session: "Session", stop: Stop) -> bool:
    """Whether the end of a part of a step was not yet the end of the step, which goes on then."""
    out = stop.connection.out
    if stop.reason != "step" or session.pausing:
        return False
    if session.adapter.keeps_steps and out.cut:
        await resume(stop.connection, dap.CONTINUE, stop.thread)
        return True
    if out.stride is None or not out.stride.mended:
        return False
    return await goes_on(session, stop)


async def resume(connection: Connection, request: dap.Request[Any], thread: int | None) -> None:
    """Resume a stop that was never told."""
    connection.epoch += 1
    connection.running = True
    await connection.client.ask(request, {"threadId": thread or 0})
