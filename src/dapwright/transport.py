"""Start or join an adapter: processes with their own group, and byte channels to them.

Everything that we start carries a mark in its environment and leads a group of its
own, so that it can be found and ended whatever its children did; a guard process of
a few hundred kilobytes ends it all should this process be killed outright.
"""

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from dapwright.core.errors import ProtocolError, SetupError
from dapwright.policy.permit import Permit

MARK = "DAPWRIGHT_OWNER"
OWNER = secrets.token_hex(8)
"""Names this server in the environment of all that it starts; a session's own mark begins with it."""
LINUX = sys.platform.startswith("linux")
QUICKACK = getattr(socket, "TCP_QUICKACK", None)
CONNECT_RETRY_SECONDS = 0.01

Listener = Callable[[bytes], None]
"""Takes what was read; `b""` is the end."""

_GUARD = """
trap '' HUP INT TERM
groups=
while read -r op group; do
  case $op in
    add) groups="$groups $group" ;;
    del) left=; for g in $groups; do [ "$g" = "$group" ] || left="$left $g"; done; groups=$left ;;
  esac
done
for g in $groups; do kill -KILL -- "-$g" 2>/dev/null; done
for round in 1 2 3; do
  for file in $(grep -lsz "^MARK=OWNER" /proc/[0-9]*/environ); do
    pid=${file#/proc/}; pid=${pid%/environ}
    [ "$pid" = "$$" ] || kill -KILL "$pid" 2>/dev/null
  done
done
"""
_guard: "subprocess.Popen[bytes] | None" = None


def _tell_guard(operation: str, group: int) -> None:
    """Keep the guard's list of groups; started with our first process (POSIX only)."""
    global _guard
    if os.name != "posix":
        return
    if _guard is None or _guard.poll() is not None:
        script = _GUARD.replace("MARK", MARK).replace("OWNER", OWNER, 1)
        _guard = subprocess.Popen(
            ["/bin/sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    assert _guard.stdin
    with contextlib.suppress(OSError):
        _guard.stdin.write(f"{operation} {group}\n".encode())
        _guard.stdin.flush()


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
        _tell_guard("add", self.pid)

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

    def process_exited(self) -> None:
        _tell_guard("del", self.pid)
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
    wanted, found = f"{MARK}={mark}".encode(), []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry.name}/environ", "rb") as environ:
                if wanted in environ.read() and int(entry.name) != os.getpid():
                    found.append(int(entry.name))
    return found


def kill_marked(mark: str) -> None:
    """Kill every process that carries `mark`, by a descriptor checked after opening: never another's id."""
    for pid in marked(mark):
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(pid)
            try:
                if pid in marked(mark):
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            finally:
                os.close(descriptor)


HANDED_ON = frozenset(
    """
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR TEMP TMP DISPLAY XDG_RUNTIME_DIR XDG_CACHE_HOME
    SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES
    VIRTUAL_ENV CONDA_PREFIX JAVA_HOME GOPATH GOROOT GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME DOTNET_ROOT
    """.split()  # noqa: SIM905
)
"""What is handed on of our environment when it is to be clean, and `LC_*`."""
_clean = False


def clean(wanted: bool) -> None:
    """Hand on only `HANDED_ON` from now on, or all."""
    global _clean
    _clean = wanted


def environment(changes: Mapping[str, str | None], mark: str) -> dict[str, str]:
    """Return our environment, or the part that is handed on, with `changes` (None unsets) and the mark."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not _clean or name.upper() in HANDED_ON or name.startswith("LC_")
    }
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
    pty = os.openpty() if terminal else None
    streams = pty[1] if pty else subprocess.PIPE
    try:
        _, process = await asyncio.get_running_loop().subprocess_exec(
            lambda: Process(argv, mark),
            *argv,
            stdin=streams,
            stdout=streams,
            stderr=streams,
            cwd=cwd or None,
            env=environment(env, mark),
            start_new_session=True,
        )
    except OSError as cannot:
        raise SetupError(f"cannot start `{argv[0]}`: {cannot.strerror or cannot}", "check that it exists") from cannot
    finally:
        if pty:
            os.close(pty[1])
    if pty:
        _read_terminal(process, pty[0])
    return process


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
