"""Begin and end a session: its plan, its processes, its connections and its children."""

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dapwright import channel, feed, transport
from dapwright.channel import Channel, Pipes
from dapwright.core.adapter import Warming
from dapwright.core.errors import AdapterError, BuildError, ProtocolError, SetupError
from dapwright.core.filling import fill, fill_words
from dapwright.core.model import Attach, Environment, Launch, Plan, Program, Ran, Run
from dapwright.core.records import Record
from dapwright.policy.permit import Request
from dapwright.session import arming, building, functions
from dapwright.session.connection import Connection
from dapwright.session.session import Session
from dapwright.transport import Process, signal_name

INTRODUCTION_SECONDS = 20.0
READY_SECONDS = 20.0
"""How long an adapter may take until it can be configured, once a launch was asked."""


async def begin(session: Session, what: Launch | Attach, warming: "asyncio.Task[bool] | None" = None) -> None:
    """Make the plan, start or find the adapter, and bring the program under it.

    An adapter that is being started ahead is waited for only once the plan is made: meanwhile the program is built.
    `warming` says whether it has been started, so far as it must still be known.

    Raises:
        DapwrightError: whatever made it impossible, in the words of whoever refused.
    """
    prepared, session.prepared = session.prepared, None
    functions.resolve_functions(session)
    try:
        plan = prepared[1] if prepared and prepared[0] is what else await make_plan(session, what)
    finally:  # where there is no plan too: whoever ends the session must know the adapter
        if warming is not None:
            await asyncio.wait([warming])
    if warming is not None and not warming.cancelled() and not warming.result():
        await session.abandon(session)  # the launch will meet the same failure, and tell it
    place: dict[str, str] = {}
    session.plan = plan
    if plan.facts:
        session.adapter = replace(session.adapter, **plan.facts)
    session.notes += plan.notes
    session.warnings += plan.warnings
    if plan.entry:
        session.ledger.add(Record("", "function", function=plan.entry, hidden="entry"))
    if plan.fed:
        session.feed = await feed.lay()
        place["fed_input"] = session.feed.path
    connection = await connect(session, plan, place)
    if isinstance(what, Attach) and session.adapter_process is not None and not plan.is_program:
        session.adapter_process.spare()
    begun = asyncio.ensure_future(
        connection.begin(
            plan.request, fill(plan.arguments, place), lambda c: arming.configure(session, c), _patience(plan)
        )
    )
    try:
        await _start_program(session, connection, plan, begun)
        await begun
    finally:
        begun.cancel()
    if session.state == "starting" and not connection.over:
        session.happened("configured")


def _patience(plan: Plan) -> float:
    if plan.request != "attach" or plan.invitation:
        return 600.0
    return float(plan.arguments.get("timeout", READY_SECONDS * 1000)) / 1000


async def make_plan(session: Session, what: Launch | Attach) -> Plan:
    """Drive the adapter's plan: run what it wants run, and return what it decides."""
    adapter, host = session.adapter, session.host
    if isinstance(what, Launch):
        if adapter.plan is None:
            raise SetupError(f"{adapter.display_name} programs cannot be launched here", "attach to a running one")
        plan = await _drive(session, adapter.plan(what, host))
    else:
        if adapter.attach is None:
            raise SetupError(f"dapwright cannot attach to {adapter.display_name} programs", "launch the program")
        plan = await _drive(session, adapter.attach(what, host))
    assert plan is not None
    return plan


async def _drive(session: Session, planning: Warming) -> Plan | None:
    """Run what a plan wants run, and return what it comes to."""
    try:
        wanted = next(planning)
        while True:
            wanted = planning.send(await run(session, wanted))
    except StopIteration as made:
        plan: Plan | None = made.value
        return plan


async def run(session: Session, wanted: Run) -> Ran:
    """Run a helper process of a plan to its end, within its time limit; a build may outlast the call."""
    if wanted.purpose in building.PURPOSES:
        return await building.run(session, wanted)
    process = await start(session, wanted.argv, cwd=wanted.cwd, env=wanted.env, purpose=wanted.purpose)
    heard: dict[int, bytearray] = {1: bytearray(), 2: bytearray()}
    for fd, kept in heard.items():
        process.listen(fd, kept.extend)
    process.close_input()
    session.building = command = " ".join(wanted.argv)
    session.pulse()
    try:
        code = await asyncio.wait_for(asyncio.shield(process.ended), wanted.timeout_seconds)
    except TimeoutError:
        raise BuildError(
            f"`{command}` did not end within {wanted.timeout_seconds:g} s", "run it by hand once"
        ) from None
    finally:
        session.building = "" if session.building == command else session.building
        await process.kill() if process.running else process.close()
    return Ran(code, heard[1].decode(errors="replace"), heard[2].decode(errors="replace"))


async def start(
    session: Session,
    argv: tuple[str, ...],
    *,
    cwd: str,
    env: Environment,
    purpose: str,
    terminal: bool = False,
    template: tuple[str, ...] = (),
) -> Process:
    """Start one process for a session, once the policy permits it; `template` is `argv` before we filled it in."""
    permit = await session.ask(Request(argv, cwd, env, purpose, template))
    return await transport.spawn(argv, cwd=cwd, env=env, permit=permit, mark=session.mark, terminal=terminal)


async def connect(session: Session, plan: Plan, place: dict[str, str]) -> Connection:
    """Reach the plan's adapter, the warm one where it is the same, and introduce ourselves.

    `place` learns where a new one listens: `port`, `socket`.
    """
    warm = session.main
    if warm is not None and session.plan is not None and session.adapter_process is not None:
        if session.adapter_process.argv == plan.argv and not warm.client.closed:
            warm.adapter = session.adapter
            return warm
        session.connections.pop(warm.number)
        await session.adapter_process.kill()
    connection = await _reach(session, plan, place)
    try:
        await connection.introduce(plan.init, min(_patience(plan), INTRODUCTION_SECONDS))
    except ProtocolError as broken:
        if not plan.argv:
            raise AdapterError(
                f"what listens on `{plan.host}:{plan.port}` is not a debug adapter, or is busy: {broken}",
                f"{broken.hint}; pass the port on which the debugger listens",
            ) from None
        process = session.adapter_process
        words = process.last_words.decode(errors="replace").strip()[-800:] if process else ""
        raise ProtocolError(f"{broken}; its last words: {words}" if words else str(broken), broken.hint) from None
    return connection


async def warm(session: Session) -> None:
    """Start the adapter alone, ahead of the launch that will need it."""
    made = session.adapter.warm(session.host, session.executable)
    plan = made if made is None or isinstance(made, Plan) else await _drive(session, made)
    if plan is None:
        return
    connection = await _reach(session, plan, {})
    await connection.introduce(plan.init)


async def _reach(session: Session, plan: Plan, place: dict[str, str]) -> Connection:
    stream = await _open(session, plan, place)
    number = session.next_connection()
    connection = Connection(number, session.adapter, stream, session.heard, requests_of(session))
    session.connections[number] = connection
    return connection


def requests_of(session: Session) -> Any:
    """What a connection calls when its engine asks something of us."""
    return lambda connection, command, arguments: session.request(session, connection, command, arguments)


async def _open(session: Session, plan: Plan, place: dict[str, str]) -> Channel:
    """Open the byte stream to a plan's adapter, starting the adapter where the plan has a command."""
    if not plan.argv:
        assert plan.port is not None
        return await _join(plan)
    if plan.channel == "tcp":
        place["port"] = str(plan.port or channel.free_port())
    elif plan.channel == "unix":
        place["socket"] = channel.socket_path()
    argv = tuple(fill_words(plan.argv, place))
    process = await start(session, argv, cwd=plan.cwd, env=plan.env, purpose="adapter", template=plan.argv)
    session.adapter_process = process
    process.argv = plan.argv
    if plan.channel == "stdio":
        return Pipes(process)
    if plan.listens:
        await channel.heard(process, plan.listens, READY_SECONDS)
    if plan.prints_are_output:
        process.listen(1, lambda data: session.stream(process, 1, data))
        process.listen(2, lambda data: session.stream(process, 2, data))
    if plan.channel == "unix":
        return await channel.dial_path(place["socket"], process=process)
    return await channel.dial(plan.host, int(place["port"]), process=process)


async def _join(plan: Plan) -> Channel:
    assert plan.port is not None
    try:
        return await asyncio.wait_for(channel.dial(plan.host, plan.port), _patience(plan))
    except TimeoutError:
        raise AdapterError(
            f"`{plan.host}:{plan.port}` did not accept a connection in time", "check the address"
        ) from None
    except OSError as refused:
        raise AdapterError(
            f"nothing listens on `{plan.host}:{plan.port}`: {refused.strerror or refused}",
            "start the program with its debug port open, and pass that port",
        ) from refused


async def _start_program(session: Session, connection: Connection, plan: Plan, begun: "asyncio.Future[None]") -> None:
    """Start the program that the plan leaves to us, when the adapter says that it is awaited."""
    if plan.invitation:
        session.tasks.start(_invite(session, connection, plan), "invite the program")
    if plan.program is None:
        return
    filled: Mapping[str, Any] = {}
    if plan.program.when:
        awaited = asyncio.ensure_future(connection.event(plan.program.when))
        await asyncio.wait({awaited, begun}, return_when=asyncio.FIRST_COMPLETED)
        if not awaited.done():
            awaited.cancel()
            return
        filled = awaited.result()
    await start_program(session, plan.program, filled)
    assert session.program
    session.tasks.start(_watch(session, session.program, connection), "watch the program")


async def _invite(session: Session, connection: Connection, plan: Plan) -> None:
    """Tell what to run so that the program joins us, once we listen."""
    session.invitation = fill(plan.invitation, await connection.event(plan.invited))
    session.pulse()


async def start_program(session: Session, program: Program, filled: Mapping[str, Any]) -> Process:
    """Start the debuggee as a process of ours: its streams are the transcript's, its end is known to us."""
    argv = tuple(fill_words(program.argv, filled))
    process = await start(
        session,
        argv,
        cwd=program.cwd,
        env=program.env,
        purpose="program",
        terminal=program.terminal,
        template=program.argv,
    )
    session.program = process
    process.listen(1, lambda data: session.stream(process, 1, data))
    process.listen(2, lambda data: session.stream(process, 2, data))
    return process


async def _watch(session: Session, program: Process, connection: Connection) -> None:
    """A program that ends before its debugger has it will never be configured: say so at once."""
    code = await asyncio.shield(program.ended)
    if not connection.initialized.is_set() and session.state == "starting":
        words = program.last_words.decode(errors="replace").strip()
        session.fail(
            SetupError(
                f"`{program.argv[0]}` ended with {ending(code)} before the debugger could join it"
                + (f": {words[-1500:]}" if words else ""),
                "check that it is the interpreter you mean (`executablePath`)",
            )
        )


def ending(code: int) -> str:
    """An exit code in words."""
    return f"signal {signal_name(-code)}" if code < 0 else f"exit code {code}"
