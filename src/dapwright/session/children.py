"""What engines ask of us: to debug a child process, to start the program."""

from collections.abc import Mapping
from typing import Any

from dapwright import channel
from dapwright.core.errors import AdapterError, ProtocolError, UsageError
from dapwright.core.model import Program
from dapwright.session import arming
from dapwright.session.connection import Connection
from dapwright.session.launching import READY_SECONDS, requests_of, start_program
from dapwright.session.session import Session


async def requested(session: Session, connection: Connection, command: str, arguments: Any) -> Mapping[str, Any]:
    """Answer a reverse request.

    Raises:
        UsageError: it is one that we do not serve.
    """
    if command == "startDebugging":
        return await adopt(session, connection, arguments)
    if command == "runInTerminal":
        return await run_in_terminal(session, arguments)
    raise UsageError(f"`{command}` is not supported")


async def adopt(session: Session, parent: Connection, arguments: Any) -> Mapping[str, Any]:
    """Debug a child process that an engine tells of. Never refused: a child that nobody joins hangs for ever."""
    asked = arguments if isinstance(arguments, Mapping) else {}
    configuration = dict(asked.get("configuration") or {})
    where = configuration.get("connect") or {}
    session.tasks.start(_adopt(session, asked.get("request", "attach"), configuration, where), "adopt a child")
    return {}


async def run_in_terminal(session: Session, arguments: Any) -> Mapping[str, Any]:
    """Start the program for an adapter that asks us to (`runInTerminal`): its streams are ours then."""
    env = {str(name): value for name, value in (arguments.get("env") or {}).items()}
    argv = tuple(str(word) for word in arguments.get("args") or ())
    program = Program(argv, str(arguments.get("cwd") or ""), env, terminal=arguments.get("kind") == "external")
    process = await start_program(session, program, {})
    return {"processId": process.pid}


async def _adopt(session: Session, request: str, configuration: dict[str, Any], where: Mapping[str, Any]) -> None:
    try:
        stream = await channel.dial(str(where.get("host", "127.0.0.1")), int(where["port"]))
    except (OSError, KeyError, ValueError, TypeError) as lost:
        session.notes.append(f"a child process could not be debugged, nothing listens at {dict(where)}: {lost}")
        return
    number = session.next_connection()
    connection = Connection(number, session.adapter, stream, session.heard, requests_of(session))
    connection.process_id = configuration.get("subProcessId")
    connection.label = str(configuration.get("name") or f"child process {connection.process_id or number}")
    session.connections[number] = connection
    try:
        await connection.introduce({})
        await connection.begin(request, configuration, lambda c: arming.configure(session, c), READY_SECONDS)
    except (AdapterError, ProtocolError) as lost:
        if session.connections.pop(number, None) is not None:
            session.notes.append(f"{connection.label} could not be debugged: {lost}")
        connection.over = True
        connection.client.close()
