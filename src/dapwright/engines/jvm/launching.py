"""Requests that begin and end a program."""

import asyncio
import re
import sys

from dapwright.core.errors import AdapterError, DapwrightError, ProtocolError, SetupError
from dapwright.engines.dapserver import Reply
from dapwright.engines.jvm.connection import connect
from dapwright.engines.jvm.places import FunctionName
from dapwright.engines.jvm.planted import Breakpoint
from dapwright.engines.jvm.program import Listener, Program, command_line, environment, start
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.sourcepaths import guess_folders


@REQUESTS.on("launch", dict, concurrent=True)
async def launch(session: Session, arguments: Body) -> Reply:
    """Start a JVM that calls back, and join it before it runs anything."""
    session.arguments, session.launched = arguments, True
    session.sources.add(folders=guess_folders(arguments), files=[str(one) for one in arguments.get("sources") or ()])
    listener = Listener()
    await listener.open()
    try:
        argv = command_line(arguments, listener.address)
        session.program = program = await start(
            argv,
            cwd=arguments.get("cwd"),
            env=environment(arguments.get("env") or {}),
            output=session.output,
        )
        session.server.event(
            "process",
            {
                "name": arguments.get("mainClass") or arguments.get("jar") or "java",
                "systemProcessId": program.pid,
                "isLocalProcess": True,
                "startMethod": "launch",
            },
        )
        link = await listener.connection(program.process.wait())
    finally:
        await listener.close()
    if link is None:
        raise await _stillborn(program)
    await session.join(link)
    if arguments.get("stopOnEntry"):
        await session.plant.want_entry([_entry(arguments)])
    return Reply({}, lambda: session.server.event("initialized"))


async def _stillborn(program: Program) -> DapwrightError:
    code = await program.end()
    words = program.last_words.strip()
    if "Could not find agent library" in words or ("jdwp" in words.lower() and "library" in words.lower()):
        return SetupError(f"this java cannot be debugged: {words}", "use a JVM with the jdk.jdwp.agent module")
    return AdapterError(f"the JVM ended with code {code} before it ran anything: {words[-2000:] or 'it said nothing'}")


def _entry(arguments: Body) -> Breakpoint:
    main = str(arguments.get("mainClass") or _main_of(str(arguments.get("jar") or ""))).rpartition("/")[2]
    return Breakpoint(0, function=FunctionName(main.replace("$", "."), "main"), entry=True)


def _main_of(jar: str) -> str:
    """The main class that a jar's manifest names."""
    import zipfile  # late: it brings four compressions that few launches need

    try:
        with zipfile.ZipFile(jar) as archive:
            manifest = archive.read("META-INF/MANIFEST.MF").decode("utf-8", "replace")
    except (OSError, KeyError, zipfile.BadZipFile) as bad:
        raise AdapterError(f"`{jar}` names no main class ({bad})", "give `mainClass`") from bad
    found = re.search(r"^(?:Start-Class|Main-Class):\s*(\S+)", manifest.replace("\r\n ", "").replace("\n ", ""), re.M)
    if found is None:
        raise AdapterError(f"`{jar}` names no main class in its manifest", "give `mainClass`")
    return found[1]


@REQUESTS.on("attach", dict, concurrent=True)
async def attach(session: Session, arguments: Body) -> Reply:
    """Join a JVM that listens for a debugger."""
    session.arguments = arguments
    host = str(arguments.get("host") or arguments.get("hostName") or "127.0.0.1")
    if not arguments.get("port"):
        raise AdapterError("the attach names no port", "give `port`: the one in the JVM's `address=`")
    session.sources.add(folders=guess_folders(arguments))
    await session.join(await connect(host, int(arguments["port"])))
    session.server.event("process", {"name": f"{host}:{arguments['port']}", "startMethod": "attach"})
    return Reply({}, lambda: session.server.event("initialized"))


@REQUESTS.on("configurationDone", dict, capabilities=("supportsConfigurationDoneRequest",))
async def configured(session: Session, _: Body) -> Reply:
    """Let the program run, or stand where the client wants it."""
    return Reply({}, lambda: session.start(session.begin()))


@REQUESTS.on(
    "disconnect", dict, capabilities=("supportTerminateDebuggee", "supportsTerminateDebuggee"), concurrent=True
)
async def disconnect(session: Session, arguments: Body) -> Reply:
    """Leave: a launched program dies with us unless the client says otherwise, an attached one runs on."""
    kill = arguments.get("terminateDebuggee")
    await session.leave(kill=session.launched if kill is None else bool(kill))
    if session.program is not None and not session.leaving:
        await asyncio.wait([session.keep(session.ended())], timeout=5)
    return Reply({}, session.server.end)


@REQUESTS.on("terminate", dict, capabilities=("supportsTerminateRequest",), concurrent=True)
async def terminate(session: Session, _: Body) -> Body:
    """Ask the program to end, as SIGTERM does, so that its shutdown hooks run."""
    program = session.program
    if program is None or sys.platform == "win32":
        await session.leave(kill=True)
        return {}
    program.ask_to_end()
    jvm = session.jvm
    if jvm is not None and (jvm.stops.held_all or jvm.stops.held):
        session.frames.drop()
        session.references.drop()
        for thread in list(jvm.stops.held):
            await jvm.stops.resume(thread)
        await jvm.stops.resume(None)
    return {}


@REQUESTS.on("dapwright/input", dict)
async def feed(session: Session, arguments: Body) -> Body:
    """Write to the program's standard input; `close` ends it."""
    if session.program is None:
        raise AdapterError("only a program that was launched here has an input to write to")
    try:
        async with asyncio.timeout(5):
            await session.program.feed(str(arguments.get("text") or ""), close=bool(arguments.get("close")))
    except TimeoutError:
        raise ProtocolError("the program does not read its standard input") from None
    return {}
