"""What an engine's events change in a session."""

from typing import TYPE_CHECKING, Any

from dapwright.core import events, protocol
from dapwright.session import dying, notices
from dapwright.session.connection import FRAMES, Connection, Stop, stack_of
from dapwright.session.stopped import stop_of

if TYPE_CHECKING:
    from dapwright.session.session import Session


LOST = -1
"""The code that LLDB 23 tells where a program went without it (`lost connection`): no signal, and no exit code."""
MOST_SIGNALS = 64


def take(session: "Session", connection: Connection, name: str, body: Any) -> None:
    """Take one event in."""
    match name:
        case "stopped" if not connection.out.unheard:
            session.drain()
            stop = stop_of(connection, protocol.lenient(body, events.StoppedEvent), body)
            if session.adapter.bare_signals:
                connection.fatal = dying.fatal(session.host, connection.process_id, stop.description)
            if session.evaluating and any(s.connection is connection for s in session.stops):
                connection.passed = stop
                return  # an engine that resumes in order to evaluate says so; the stop we know still holds
            _look_ahead(connection, stop)
            session.judging += 1
            session.tasks.start(_judge(session, stop), "judge")
        case "continued":
            _continued(session, connection, protocol.lenient(body, events.ContinuedEvent))
        case "output":
            _output(session, connection, protocol.lenient(body, events.OutputEvent), logged=notices.logger(body))
        case "exited":
            _exited(session, connection, body)
        case "breakpoint":
            event = protocol.lenient(body, events.BreakpointEvent)
            session.ledger.merge(connection.number, event.reason, event.breakpoint)
        case "terminated" | "disconnected":
            if name == "terminated":
                connection.terminated = True
            if not connection.over:
                connection.over = True
                if connection.begun:  # else whoever introduced us is told, and starts another
                    session.tasks.start(session.finish(session, connection), "finish")


def _look_ahead(connection: Connection, stop: Stop) -> None:
    """Send the looks that will be asked after a step, all at once, where what they must name is known."""
    first, ahead = connection.adapter.first_reference, connection.ahead
    connection.ahead = False
    if first and ahead and stop.reason == "step" and stop.thread is not None:
        frame, variables = {"frameId": first}, {"variablesReference": first}
        connection.client.foresee(
            [(protocol.STACK_TRACE, stack_of(stop, FRAMES)), (protocol.SCOPES, frame), (protocol.VARIABLES, variables)]
        )


async def _judge(session: "Session", stop: Stop) -> None:
    try:
        await session.judge(session, stop)
    finally:
        session.judging -= 1
        session.pulse()


def _continued(session: "Session", connection: Connection, event: events.ContinuedEvent) -> None:
    """Somebody else resumed what we know as stopped. Events after our own resumption say nothing new."""
    mine = [s for s in session.stops if s.connection is connection]
    if session.evaluating or session.mover or not mine:
        return
    if event.thread_id is None or any(s.thread == event.thread_id for s in mine):
        session.release(connection)


def _output(session: "Session", connection: Connection, event: events.OutputEvent, *, logged: Any) -> None:
    category = event.category or "console" if logged is None else "log"
    chatter = session.adapter.chatter
    if session.adapter.bare_signals and (found := dying.LAUNCHED.match(event.output)):
        connection.process_id = int(found[1])
    if category == "console" and session.adapter.exit_code and (code := session.adapter.exit_code.search(event.output)):
        session.take_code(int(code[1]))  # Delve tells a signal as its number, negative
    if category == "telemetry" or (category == "console" and chatter and chatter.search(event.output)):
        return
    if category == "dapwright" and session.endpoint is not None:
        session.endpoint.told_by_engine(event.data)
        return
    if session.program is not None and category in ("stdout", "stderr"):
        # the program's own streams are ours already: what an engine sends under their name is its own word
        category = "log" if category == "stdout" else "console"
    session.printed(category, event.output)


def _exited(session: "Session", connection: Connection, body: Any) -> None:
    if connection is not session.main:
        return
    event = protocol.lenient(body, events.ExitedEvent)
    name = body.get("signal") if isinstance(body, dict) else None
    if isinstance(name, str):
        session.signal = name
    elif event.exit_code == connection.fatal != 0:
        session.take_code(-connection.fatal)
    elif event.exit_code == LOST and session.adapter.bare_signals:
        session.warnings.append("the debugger lost the program: how it ended is not known (something else killed it?)")
    elif event.exit_code is not None and -MOST_SIGNALS <= event.exit_code < 0:
        session.take_code(event.exit_code)  # Delve 1.27 has no other word for death by a signal
    elif event.exit_code is not None:
        session.exit_code = event.exit_code
