"""The JVM as a process of ours: started so that it calls back on loopback, its output passed on, its end told."""

import asyncio
import codecs
import ctypes
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from dapwright.core.errors import AdapterError, SetupError
from dapwright.engines.jvm.connection import Connection

CONNECT_SECONDS = 30.0
DRAIN_SECONDS = 2.0
"""How long output is awaited after the program's end: a child of it may hold the pipe."""


class Program:
    """A launched JVM: `output(category, text)` is called with what it prints."""

    def __init__(self, process: asyncio.subprocess.Process, output: Callable[[str, str], None]) -> None:
        self.process = process
        self._output = output
        pipes = (("stdout", process.stdout), ("stderr", process.stderr))
        self._pumps = [asyncio.create_task(self._pump(name, pipe)) for name, pipe in pipes if pipe]
        self.last_words = ""

    @property
    def pid(self) -> int:
        return self.process.pid

    async def _pump(self, category: str, pipe: asyncio.StreamReader) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        while data := await pipe.read(1 << 16):
            self._tell(category, decoder.decode(data))
        self._tell(category, decoder.decode(b"", final=True))

    def _tell(self, category: str, text: str) -> None:
        if text:
            self.last_words = (self.last_words + text)[-4000:]
            self._output(category, text)

    async def end(self) -> int:
        """Wait for the end and for what was printed before it; a negative code is a signal's number."""
        code = await self.process.wait()
        await asyncio.wait(self._pumps, timeout=DRAIN_SECONDS)
        return code

    async def feed(self, text: str, *, close: bool) -> None:
        """Write to the program's standard input."""
        pipe = self.process.stdin
        if pipe is None or pipe.is_closing():
            raise AdapterError("the program's standard input is closed")
        try:
            pipe.write(text.encode())
            await pipe.drain()
            if close:
                pipe.close()
        except OSError as bad:
            raise AdapterError(f"the program does not read its standard input ({bad})") from bad

    def ask_to_end(self) -> None:
        """Send SIGTERM, which a JVM answers by running its shutdown hooks."""
        if self.process.returncode is None:
            self.process.terminate()

    def kill(self) -> None:
        """Kill the program and the processes of its group."""
        if self.process.returncode is not None:
            return
        try:
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    async def close(self) -> None:
        """Kill it if it lives, and stop listening to it."""
        self.kill()
        await self.process.wait()
        for pump in self._pumps:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)


def environment(changes: Mapping[str, str | None]) -> dict[str, str]:
    """Our own environment with `changes`; None unsets."""
    merged: dict[str, str | None] = {**os.environ, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def command_line(arguments: Mapping[str, Any], address: str) -> list[str]:
    """The command that starts the JVM for a launch request; it calls back at `address`.

    Raises:
        AdapterError: the request names nothing to run.
    """
    agent = f"-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address={address}"
    if arguments.get("virtualThreads"):  # a JVM before 21 refuses the word, and says so
        agent += ",includevirtualthreads=y"
    argv = [arguments.get("javaPath") or "java", agent, *map(str, arguments.get("vmArgs") or ())]
    if arguments.get("modulePath"):
        argv += ["--module-path", os.pathsep.join(arguments["modulePath"])]
    if arguments.get("classpath"):
        argv += ["-classpath", os.pathsep.join(arguments["classpath"])]
    main, jar = arguments.get("mainClass"), arguments.get("jar")
    if jar and not main:
        argv += ["-jar", jar]
    elif main and "/" in main:
        argv += ["--module", main]
    elif main:
        argv += [main] if not jar else ["-classpath", os.pathsep.join([jar, *(arguments.get("classpath") or [])]), main]
    else:
        raise AdapterError("the launch names nothing to run", "give `mainClass` with `classpath`, or `jar`")
    return argv + [str(arg) for arg in arguments.get("args") or ()]


async def start(
    argv: Sequence[str], *, cwd: str | None, env: Mapping[str, str], output: Callable[[str, str], None]
) -> Program:
    """Start the JVM in a process group of its own.

    Raises:
        SetupError: there is no such java, or the folder is missing.
    """
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd or None,
            env=dict(env),
            start_new_session=True,
            preexec_fn=_die_with_parent(),
        )
    except (OSError, ValueError) as bad:
        if cwd and not os.path.isdir(cwd):
            raise SetupError(f"the working directory `{cwd}` does not exist", "name another `cwd`") from bad
        raise SetupError(
            f"`{argv[0]}` cannot be started ({bad})",
            "install a JDK (`apt-get install openjdk-17-jdk`) or set `javaPath`",
        ) from bad
    return Program(process, output)


def _die_with_parent() -> Callable[[], None] | None:
    """What the child runs first, on Linux: it is killed when we are, however that happens."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl  # looked up here: after the fork nothing may be imported

    def ask() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG

    return ask


class Listener:
    """A loopback port on which the JVM calls back; what is no JVM is turned away and the port stays open."""

    def __init__(self) -> None:
        self._found: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None
        self._greetings: set[asyncio.Task[None]] = set()
        self.address = ""

    async def open(self) -> None:
        self._server = await asyncio.get_running_loop().create_server(self._accept, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def _accept(self) -> Connection:
        link = Connection()
        task = asyncio.create_task(self._greet(link))
        self._greetings.add(task)
        task.add_done_callback(self._greetings.discard)
        return link

    async def _greet(self, link: Connection) -> None:
        try:
            await link.greet()
        except Exception:  # the peer speaks another protocol: it was turned away, the JVM may still come
            link.close()
            return
        if self._found.done():
            link.close()
        else:
            self._found.set_result(link)

    async def connection(self, ended: Awaitable[int]) -> Connection | None:
        """Wait for the JVM to call; None where the program ended instead.

        Raises:
            AdapterError: neither happens in time.
        """
        waiting = asyncio.ensure_future(ended)
        both: list[asyncio.Future[Any]] = [self._found, waiting]
        done, _ = await asyncio.wait(both, timeout=CONNECT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if self._found in done:
            waiting.cancel()
            return self._found.result()
        if done:
            return None
        waiting.cancel()
        raise AdapterError(f"the JVM did not call back within {CONNECT_SECONDS:g} s")

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._greetings):
            task.cancel()
        await asyncio.gather(*self._greetings, return_exceptions=True)
