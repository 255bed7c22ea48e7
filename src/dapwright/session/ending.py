"""End a session: the program is over, or somebody lets go of it."""

import asyncio
import contextlib

from dapwright.core.errors import ProtocolError
from dapwright.session.connection import Connection
from dapwright.session.session import Session

ENDING_SECONDS = 5.0
"""How long a program may take to be gone after its debugger said that it ended."""


async def finish(session: Session, connection: Connection) -> None:
    """A connection is over: the session with it, unless child processes go on."""
    session.stops = [stop for stop in session.stops if stop.connection is not connection]
    if not session.stops and session.state == "paused":
        session.happened("resumed")
    main = session.main
    if connection is not main:
        connection.client.close()
        session.connections.pop(connection.number, None)
        if main is None or not main.over or any(not other.over for other in session.connections.values()):
            return
    # a program that replaced itself (exec) was its own child: it still has to end, with a code of its own
    if session.program is not None and (connection.terminated or connection is not main):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(session.program.ended), ENDING_SECONDS)
    if any(not other.over for other in session.connections.values()):
        session.notes.append("the program itself has ended; child processes of it still run")
        return
    assert main is not None
    await _end(session, main)


async def _end(session: Session, main: Connection) -> None:
    broken = not main.terminated and session.attachment is None and not session.closing
    if session.attachment is not None and not main.terminated:
        session.notes.append("the debugger hung up without a word: the program may have ended, or run on without it")
        if any(record.armed and record.kind != "watch" for record in session.ledger.shown()):
            session.notes.append(
                "a debugger that was killed leaves its breakpoints in a native program, which dies there"
            )
    program, adapter = session.program, session.adapter_process
    if broken and program is not None and not program.running:
        broken = False  # the program died, and its debugger hung up without a word
    await main.farewell(terminate=session.attachment is None)
    if session.plan is not None and session.plan.is_program and adapter is not None:
        broken = False
        with contextlib.suppress(TimeoutError):
            session.take_code(await asyncio.wait_for(asyncio.shield(adapter.ended), ENDING_SECONDS))
    if program is not None and not program.running:
        session.take_code(program.ended.result())
    session.drain()
    await stop_processes(session)
    main.client.close()
    if broken and session.exit_code is None and not session.signal:
        words = adapter.last_words.decode(errors="replace").strip() if adapter is not None else ""
        session.fail(
            ProtocolError(
                "the debugger ended while the program was under it" + (f": {words[-800:]}" if words else ""),
                "run it again with restart_debugging",
            )
        )
    else:
        session.happened("ended")


async def stop_processes(session: Session) -> None:
    """Kill what we started for this session, all of it."""
    if session.feed is not None:
        session.feed.close()
    for process in (session.program, session.adapter_process):
        if process is not None:
            await process.kill()


async def abandon(session: Session) -> None:
    """Leave nothing of a session that failed: released what was attached to, ended what was started."""
    connections = list(session.connections.values())
    session.connections.clear()
    try:
        if session.attachment is not None:
            await asyncio.gather(*(connection.farewell(terminate=False) for connection in connections))
    finally:  # somebody who closes the session cancels this
        for connection in connections:
            connection.over = True
            connection.client.close()
    await stop_processes(session)


async def close(session: Session) -> None:
    """End what was launched, release what was attached to; return when it is so."""
    await let_go(session, terminate=session.attachment is None)
    if session.endpoint is not None:
        session.endpoint.close()


async def let_go(session: Session, *, terminate: bool) -> None:
    """Hang up on every engine, resumed and untraced or killed; what we started ends in either case.

    Two who ask at once wait for the same end, and one who is cancelled does not stop it half-way.
    """
    if session.leaving is None or session.leaving.done():
        session.leaving = asyncio.get_running_loop().create_task(_let_go(session, terminate=terminate), name="let go")
    await asyncio.shield(session.leaving)


async def _let_go(session: Session, *, terminate: bool) -> None:
    session.closing = True
    await session.tasks.close()  # first: a launch under way would make what nobody ends
    connections = list(session.connections.values())
    session.connections.clear()  # what they say from here on changes nothing
    if session.attachment is not None or not terminate:
        await asyncio.gather(*(connection.farewell(terminate=terminate) for connection in connections))
    for connection in connections:
        connection.over = True
        connection.client.close()
    await stop_processes(session)
    session.stops.clear()
    session.happened("ended")


async def reset(session: Session) -> None:
    """Clear a session for its next launch; breakpoints stay, and where code in the program tells what it sees."""
    await let_go(session, terminate=session.attachment is None)
    session.ledger.begin_launch()
    session.fresh()
