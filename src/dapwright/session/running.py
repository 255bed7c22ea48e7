"""Going on: continue, step, pause, run to a line."""

import asyncio
from collections.abc import Mapping
from typing import Any

from dapwright.core import protocol as dap
from dapwright.core import state
from dapwright.core.bodies import Body
from dapwright.core.errors import DapwrightError, NotSupported, UsageError, WrongState
from dapwright.core.ledger import Record
from dapwright.session import arming, returning
from dapwright.session.connection import FRAMES, Connection, Stop
from dapwright.session.session import Session

PAUSE_SECONDS = 10.0
HOLD_SECONDS = 5.0
"""How long a step or a pause waits for its stop."""
STEPS: Mapping[str, dap.Request[Body]] = {
    "over": dap.NEXT,
    "into": dap.STEP_IN,
    "out": dap.STEP_OUT,
    "back": dap.STEP_BACK,
    "reverse": dap.REVERSE_CONTINUE,
}


def standing(session: Session, thread: int | None = None) -> Stop:
    """The stop that a call speaks of: of the thread with our id `thread`, else the one told last.

    Raises:
        WrongState: the session, or that thread, is not paused.
    """
    if thread is None:
        found = session.tell()
        if found is None:
            raise WrongState("no thread is paused now", "call wait_for_stop")
        return found
    target = session.handles.find("thread", thread, session.epochs)
    connection = session.connections[target.connection]
    mine = [stop for stop in session.stops if stop.connection is connection]
    for stop in mine:
        if stop.thread == target.engine_id:
            return stop
    if mine and mine[0].all_threads:
        return Stop(connection, target.engine_id, mine[0].reason, mine[0].raw_reason, told=True)
    raise WrongState(f"thread {thread} is running", "call pause_execution for it, or leave `threadId` out")


async def resume(
    session: Session, request: dap.Request[Any], *, thread: int | None = None, more: Mapping[str, Any] | None = None
) -> Connection | None:
    """Go on from the stop that was told. The session counts as running before the engine is asked.

    Another thread of the same process may stand at a stop that nobody was told: going on
    would lose it, so a plain continue only lets go of the told one then. None says so.

    Raises:
        AdapterError: the engine refused; the stop stands as before.
    """
    state.require(session.state, "continue")
    stop = standing(session, thread)
    connection = stop.connection
    others = [s for s in session.stops if s.connection is connection and s is not stop and not s.told]
    if request is dap.CONTINUE and others and stop.all_threads:
        session.stops.remove(stop)
        session.pulse()
        return None
    kept = list(session.stops)
    single = None if stop.all_threads else stop.thread
    session.release(connection, thread=single)
    arguments: dict[str, Any] = {"threadId": stop.thread or 0, **(more or {})}
    if not stop.all_threads and connection.capabilities.supports_single_thread_execution_requests:
        arguments["singleThread"] = True
    connection.out.begin(request.command)
    try:
        if request is dap.STEP_OUT and await _left(session, stop, arguments):
            return connection
        await connection.client.ask(request, arguments)
    except DapwrightError:
        if connection.terminated:
            return connection  # the program's end came before the answer: that is how it went on
        if not connection.over and session.state == "running":
            connection.running = False
            session.stops = kept
            session.happened("stopped")
        raise
    return connection


async def _left(session: Session, stop: Stop, arguments: Mapping[str, Any]) -> bool:
    """Prepare a step out; whether the program stopped for something else before the step had begun."""
    try:
        return await returning.prepare(session, stop)
    except asyncio.CancelledError:
        stop.connection.client.send(dap.STEP_OUT, arguments)  # the session counts as running already
        raise


async def step(
    session: Session,
    how: str,
    *,
    thread: int | None = None,
    more: Mapping[str, Any] | None = None,
    look: bool = False,
) -> Connection | None:
    """Step `over`, `into`, `out`, `back`, or go in `reverse`; `look` says that its stop will be told with its locals.

    Raises:
        NotSupported: the engine has no such step.
    """
    state.require(session.state, "step")
    refuse_post_mortem(session)
    stop = standing(session, thread)
    if how in ("back", "reverse") and not stop.connection.capabilities.supports_step_back:
        raise NotSupported(
            f"{session.adapter.display_name} cannot run backwards here",
            "set a breakpoint before this point and use restart_debugging",
        )
    stop.connection.ahead = look and not session.explicit
    if stop.connection.ahead and stop.connection.capabilities.supports_dapwright_looks:
        more = {**(more or {}), "dapwrightLook": FRAMES}
    return await resume(session, STEPS[how], thread=thread, more=more)


def switched(session: Session, stepped: Stop) -> str:
    """What to tell where a step of one thread ended in a stop of another; "" where it did not."""
    stop = session.stop
    if stop is None or session.state != "paused":
        return ""
    if stop.connection is not stepped.connection:
        return f"another process stopped first: {stop.connection.label or 'the program itself'}; the step goes on"
    if stop.thread in (None, stepped.thread):
        return ""
    names = stop.connection.thread_names
    who = names.get(stop.thread or 0) or "another thread"
    return f"{who} stopped first ({stop.reason}); the thread that stepped stands where it got to"


def refuse_post_mortem(session: Session) -> None:
    """A core file can be looked at, and never runs."""
    if session.plan is not None and session.plan.post_mortem:
        raise NotSupported("this is a core file: its program ended and cannot run", "look at its frames and variables")


async def pause(session: Session, thread: int | None = None) -> None:
    """Ask a running program to stop, every process of it where no thread is named."""
    state.require(session.state, "pause")
    if session.state == "paused":
        return
    refuse_post_mortem(session)
    session.pausing = True
    if thread is not None:
        target = session.handles.find("thread", thread, session.epochs)
        await session.connections[target.connection].client.ask(dap.PAUSE, {"threadId": target.engine_id})
        return
    connection = next((c for c in session.connections.values() if c.running and not c.over and c.configured), None)
    if connection is None:
        raise WrongState("nothing runs that could be paused yet", "call wait_for_stop")
    body = await connection.client.ask(dap.THREADS)
    if not body.threads:
        raise WrongState("the program has no thread that could be paused", "call wait_for_stop")
    main = next((t for t in body.threads if "main" in t.name.lower()), body.threads[0])
    asking = asyncio.ensure_future(connection.client.ask(dap.PAUSE, {"threadId": main.id}))
    standing_still = asyncio.ensure_future(session.until(lambda: session.state == "paused", PAUSE_SECONDS))
    try:
        await asyncio.wait({asking, standing_still}, return_when=asyncio.FIRST_COMPLETED)
        if not session.stops:
            await asking  # Delve answers no `pause` of a program that had just stopped by itself (1.27)
    finally:
        asking.cancel()
        standing_still.cancel()


async def run_until(session: Session, record: Record) -> None:
    """Plant the hidden breakpoint that `until` names; whatever stop comes first takes it away."""
    record.hidden = "until"
    session.ledger.add(record)
    await arming.apply(session, [record])


async def target_of(session: Session, label: str) -> dict[str, Any]:
    """Find the call that `step_into {target}` names, on the line where the program stands.

    Raises:
        UsageError: no call of that name is on the line; those that are, are listed.
    """
    stop = standing(session)
    frames = await stop.connection.frames(stop, 1)
    body = await stop.connection.client.ask(dap.STEP_IN_TARGETS, {"frameId": frames[0].id})
    here = [t for t in body.targets if t.line in (None, frames[0].line)]
    for target in here:
        if label in target.label:
            return {"targetId": target.id}
    known = ", ".join(f"`{target.label}`" for target in here) or "none"
    raise UsageError(f"no call on this line is named `{label}`", f"calls here: {known}")
