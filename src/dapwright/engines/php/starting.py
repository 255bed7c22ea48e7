"""Launch a PHP program, or wait for what others start."""

import asyncio
import os
from typing import Any

from dapwright.core.errors import ProtocolError, SetupError
from dapwright.engines.dapserver import Answer, Reply
from dapwright.engines.php.session import REQUESTS, Arguments, Session

CONNECT_SECONDS = 20.0


def settings(host: str, port: int | str) -> list[str]:
    """PHP's options that bring a script under us."""
    return [
        "-dxdebug.mode=debug",
        "-dxdebug.start_with_request=yes",
        f"-dxdebug.client_host={host}",
        f"-dxdebug.client_port={port}",
        "-dxdebug.log_level=0",
    ]


def _prepare(session: Session, ask: Arguments) -> None:
    session.entry = bool(ask.get("stopOnEntry"))
    pairs = ask.get("pathMappings") or []
    session.mappings = [(str(one["localRoot"]), str(one["remoteRoot"])) for one in pairs]


@REQUESTS.on("attach", dict, capabilities=("supportTerminateDebuggee",), concurrent=True)
async def attach(session: Session, ask: Arguments) -> Reply:
    """Listen for Xdebug on `host` and `port` (9003): every request that comes is a thread.

    With `once`, for one program that the client starts: the event `phpListening {port}` says when,
    and its connection is awaited before `initialized`.
    """
    _prepare(session, ask)
    session.once = bool(ask.get("once"))
    port = await session.listen(str(ask.get("host") or "127.0.0.1"), int(ask.get("port", 9003)))
    session.server.event("phpListening", {"host": str(ask.get("host") or "127.0.0.1"), "port": port})
    if session.once:
        await session.arrived.wait()
    return Reply({}, lambda: session.server.event("initialized"))


@REQUESTS.on("launch", dict, concurrent=True)
async def launch(session: Session, ask: Arguments) -> Reply:
    """Run a script: its output comes as events, its input is `dapwright/input`."""
    _prepare(session, ask)
    session.once = True
    port = await session.listen("127.0.0.1", 0)
    php = str(ask.get("runtimeExecutable") or "php")
    argv = [php, *settings("127.0.0.1", port), *ask.get("runtimeArgs", ()), str(ask["program"]), *ask.get("args", ())]
    changes = ask.get("env") or {}
    env = {name: value for name, value in {**os.environ, **changes}.items() if value is not None}
    pipe = asyncio.subprocess.PIPE
    try:
        session.process = await asyncio.create_subprocess_exec(
            *argv, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ask.get("cwd") or None, env=env
        )
    except OSError as cannot:
        raise SetupError(f"cannot start `{php}`: {cannot.strerror or cannot}", "pass `runtimeExecutable`") from None
    session.start(_watch(session, session.process))
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await session.arrived.wait()
    except TimeoutError:
        raise ProtocolError("PHP did not connect", "check that Xdebug 3 is loaded: php -v names it") from None
    return Reply({}, lambda: session.server.event("initialized"))


async def _watch(session: Session, process: asyncio.subprocess.Process) -> None:
    async def copy(stream: asyncio.StreamReader | None, category: str) -> None:
        while stream is not None and (data := await stream.read(65536)):
            session.server.event("output", {"category": category, "output": data.decode("utf-8", "replace")})

    await asyncio.gather(copy(process.stdout, "stdout"), copy(process.stderr, "stderr"))
    code = await process.wait()
    session.arrived.set()
    session.server.event("exited", {"exitCode": code})
    session.server.event("terminated")


@REQUESTS.on("dapwright/input", dict)
async def feed(session: Session, ask: Arguments) -> Answer:
    """Feed the standard input of the program that we launched."""
    if session.process is None or session.process.stdin is None:
        raise ProtocolError("there is no program of ours to feed")
    session.process.stdin.write(str(ask.get("text", "")).encode("utf-8", "surrogateescape"))
    if ask.get("close"):
        session.process.stdin.close()
    return {}


@REQUESTS.on("disconnect", dict, concurrent=True)
async def disconnect(session: Session, ask: Arguments) -> Reply:
    """Let go of everything; requests that we did not start run on."""
    for thread in list(session.threads.values()):
        stops: Any = ask.get("terminateDebuggee")
        thread.connection.send("stop" if stops else "detach")
    return Reply({}, session.server.end)
