"""Start or join an adapter: processes with their own group, and byte channels to them.

Everything that we start carries a mark in its environment and leads a group of its
own, so that it can be found and ended whatever its children did; a guard process of
a few hundred kilobytes ends it all should this process be killed outright.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from dapwright import guard
from dapwright.core.errors import ProtocolError, SetupError
from dapwright.environment import inherited
from dapwright.guard import MARK
from dapwright.policy.permit import Permit

LINUX = sys.platform.startswith("linux")
QUICKACK = getattr(socket, "TCP_QUICKACK", None)
KILLING_ROUNDS = 5
"""A zombie carries no mark, so a round that finds none is the last."""

Listener = Callable[[bytes], None]
"""Takes what was read; `b""` is the end."""


class Process(asyncio.SubprocessProtocol):
    """A process that we started. Its output goes to whoever listens."""

    def __init__(self, argv: tuple[str, ...], mark: str) -> None:
        self.argv = argv
        self.mark = mark
        self._listeners: dict[int, Listener] = {}
        self._early: dict[int, list[bytes]] = {1: [], 2: []}
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """The exit code; negative for death by a signal."""
        self.spoke = asyncio.Event()
        """Set whenever it writes on stderr."""
        self.last_words = b""
        """The end of what it wrote on stderr, for errors."""
        self.terminal: int | None = None
        """Our side of its pseudo-terminal."""
        self._transport: asyncio.SubprocessTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        guard.tell("add", self.pid)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        if fd == 2:
            self.last_words = (self.last_words + data)[-4000:]
            self.spoke.set()
        self._deliver(fd, data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._deliver(fd, b"")

    def _deliver(self, fd: int, data: bytes) -> None:
        if (listener := self._listeners.get(fd)) is not None:
            listener(data)
        elif fd in self._early:
            self._early[fd].append(data)

    def listen(self, fd: int, listener: Listener) -> None:
        """Have what the process writes on `fd` (1 or 2) told to `listener`, from its first byte on."""
        self._listeners[fd] = listener
        for data in self._early.pop(fd, []):
            listener(data)

    def spare(self) -> None:
        """Let it end by itself should we be killed outright: it has attached to what lives on."""
        guard.tell("spare", self.pid)

    def process_exited(self) -> None:
        guard.tell("del", self.pid)
        if not self.ended.done():
            self.ended.set_result(self._transport.get_returncode() or 0)

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def running(self) -> bool:
        return not self.ended.done()

    def write(self, data: bytes) -> None:
        """Feed standard input. A closed one swallows it.

        Raises:
            ProtocolError: the process has ended.
        """
        if self.terminal is not None:
            os.write(self.terminal, data)
            return
        pipe = self._transport.get_pipe_transport(0)
        if not self.running or pipe is None or pipe.is_closing():
            raise ProtocolError(f"the input of `{Path(self.argv[0]).name}` is closed")
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(data)

    def close_input(self) -> None:
        """Send end of input."""
        if self.terminal is not None:
            os.write(self.terminal, b"\x04")
        elif (pipe := self._transport.get_pipe_transport(0)) is not None:
            pipe.close()

    def drain(self) -> None:
        """Take what the process has written so far, now: a stop must not overtake the output before it."""
        for fd in (1, 2):
            pipe = self._transport.get_pipe_transport(fd)
            source = pipe.get_extra_info("pipe") if pipe is not None and not pipe.is_closing() else None
            if source is None or os.name != "posix":
                continue
            with contextlib.suppress(BlockingIOError, OSError, ValueError):
                while data := os.read(source.fileno(), 65536):
                    self.pipe_data_received(fd, data)

    def signal_group(self, number: int) -> None:
        """Signal the process and its group; nothing once it has been reaped (its id may be another's by then)."""
        if not self.running:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.pid, number)
            else:
                self._transport.kill()

    async def kill(self) -> None:
        """End the process, its group, and all that carries its mark; return when it is gone."""
        self.signal_group(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        kill_marked(self.mark)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.ended), 5)
        self.close()

    def close(self) -> None:
        """Let go of the pipes."""
        self._transport.close()
        if self.terminal is not None:
            with contextlib.suppress(OSError):
                asyncio.get_running_loop().remove_reader(self.terminal)
                os.close(self.terminal)
            self.terminal = None


def signal_name(number: int) -> str:
    """`SIGKILL` for 9; the number where it has no name here."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def marked(mark: str) -> list[int]:
    """Return the processes whose environment carries `mark` (Linux; empty elsewhere)."""
    if not LINUX:
        return []
    pids = (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit())
    return [pid for pid in pids if pid != os.getpid() and carries(pid, mark)]


def carries(pid: int, mark: str) -> bool:
    """Tell whether a process has the mark in its environment: the whole of it, since `s1` begins `s10`."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            return f"{MARK}={mark}".encode() in environ.read().split(b"\0")
    except OSError:
        return False


def kill_marked(mark: str) -> None:
    """Kill every process that carries `mark`, and what it forks meanwhile."""
    for _ in range(KILLING_ROUNDS):
        if not (found := marked(mark)):
            return
        _kill_checked(found, mark)


def _kill_checked(pids: list[int], mark: str) -> None:
    """Kill by a descriptor that is checked after opening: never another process that has the id by now."""
    for pid in pids:
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(pid)
            try:
                if carries(pid, mark):
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            finally:
                os.close(descriptor)


def environment(changes: Mapping[str, str | None], mark: str) -> dict[str, str]:
    """Return our environment, or the part that is handed on, with `changes` (None unsets) and the mark."""
    env = inherited()
    for name, value in changes.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    env[MARK] = mark
    return env


async def spawn(
    argv: tuple[str, ...],
    *,
    cwd: str,
    env: Mapping[str, str | None],
    permit: Permit,
    mark: str,
    terminal: bool = False,
) -> Process:
    """Start a process in a group of its own, its three streams ours.

    Raises:
        SetupError: it cannot be started, with the system's reason.
    """
    if not permit.covers(argv, cwd, env):
        raise SetupError(f"`{argv[0]}` differs from the command that was approved", "this is a defect of dapwright")
    if cwd and not os.path.isdir(cwd):
        raise SetupError(f"the folder `{cwd}` does not exist", "pass an existing folder as `cwd`")
    pty = _terminal() if terminal and os.name == "posix" else None
    streams = pty[1] if pty else subprocess.PIPE
    try:
        starting = asyncio.get_running_loop().subprocess_exec(
            lambda: Process(argv, mark),
            *argv,
            stdin=streams,
            stdout=streams,
            stderr=streams,
            cwd=cwd or None,
            env=environment(env, mark),
            start_new_session=True,
        )
        process = await _started(starting)
    except OSError as cannot:
        raise SetupError(f"cannot start `{argv[0]}`: {cannot.strerror or cannot}", "check that it exists") from cannot
    finally:
        if pty:
            os.close(pty[1])
    if pty:
        _read_terminal(process, pty[0])
    return process


async def _started(starting: Coroutine[Any, Any, tuple[Any, Process]]) -> Process:
    """The process that is being started; a start that is cancelled half-way comes to its end first.

    asyncio would kill the process alone, and wait for pipes that its children hold.
    """
    task = asyncio.ensure_future(starting)
    try:
        return (await asyncio.shield(task))[1]
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled() and task.exception() is None:
            await task.result()[1].kill()
        raise


def _terminal() -> tuple[int, int]:
    """Both sides of a pseudo-terminal, of a size that programs can draw on."""
    master, slave = os.openpty()
    import termios

    termios.tcsetwinsize(slave, (24, 80))
    return master, slave


def _read_terminal(process: Process, master: int) -> None:
    os.set_blocking(master, False)
    process.terminal = master
    loop = asyncio.get_running_loop()

    def ready() -> None:
        try:
            data = os.read(master, 65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            loop.remove_reader(master)
        process.pipe_data_received(1, data)

    loop.add_reader(master, ready)
