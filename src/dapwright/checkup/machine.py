"""What every language stands on: pipes, sockets, folders, processes that can be ended and traced."""

import ctypes
import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from dapwright.checkup.finding import Finding
from dapwright.core.model import Host

SEIZE, DETACH = 0x4206, 17
"""`PTRACE_SEIZE` and `PTRACE_DETACH` of Linux: the former does not stop what it traces."""
SCOPE = Path("/proc/sys/kernel/yama/ptrace_scope")
SCOPES = {"1": "only programs that we start", "2": "only by root", "3": "by nobody"}
GUARD_SECONDS = 10.0
GUARDED = """
import os, signal, subprocess, sys
from dapwright import guard
program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
guard.tell("add", program.pid)
os.kill(os.getpid(), signal.SIGKILL)
"""
"""A server in small: starts a program, tells the guard, is killed outright."""


def checks(host: Host) -> Iterator[Finding]:
    """Try each; nothing that is started here outlives it."""
    yield _interpreter()
    yield _debugpy()
    yield _pipes()
    yield _loopback()
    yield _cache(host)
    yield _guard()
    yield _tracing()
    yield _http()


def _interpreter() -> Finding:
    return Finding("python", "ok", f"{sys.version.split()[0]} at {sys.executable}")


def _debugpy() -> Finding:
    if find_spec("debugpy") is None:
        return Finding("debugpy", "broken", "not installed beside this interpreter", "pip install debugpy")
    return Finding("debugpy", "ok", "installed")


def _pipes() -> Finding:
    """Named pipes: Node is launched through one."""
    if not hasattr(os, "mkfifo"):
        return Finding("named pipes", "info", "not on this platform: Node is attached to instead of launched")
    with tempfile.TemporaryDirectory(prefix="dapwright-") as folder:
        try:
            os.mkfifo(Path(folder) / "fifo")
        except OSError as wrong:
            return Finding("named pipes", "broken", f"{folder}: {wrong}", "set TMPDIR to a folder of a local disk")
    return Finding("named pipes", "ok", "made and removed")


def _loopback() -> Finding:
    """Some debuggers speak over 127.0.0.1 alone."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), 5):
            return Finding("loopback", "ok", "127.0.0.1 can be listened on and connected to")
    except OSError as wrong:
        return Finding("loopback", "broken", f"127.0.0.1: {wrong}", "allow connections to 127.0.0.1")


def _cache(host: Host) -> Finding:
    try:
        Path(host.cache).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=host.cache):
            return Finding("cache folder", "ok", host.cache)
    except OSError as wrong:
        return Finding("cache folder", "broken", f"{host.cache}: {wrong}", "set XDG_CACHE_HOME to a writable folder")


def _guard() -> Finding:
    """The program of a server that is killed outright must die too: its end closes the pipe that it holds."""
    if os.name != "posix":
        return Finding("guard", "info", "not checked on this platform")
    reading, writing = os.pipe()
    try:
        os.set_inheritable(writing, True)
        command = GUARDED.replace("start_new_session=True", f"start_new_session=True, pass_fds=({writing},)")
        subprocess.run([sys.executable, "-c", command], pass_fds=(writing,), timeout=GUARD_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Finding("guard", "broken", f"nothing came of it within {GUARD_SECONDS:.0f} s")
    finally:
        os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as left:
        ready, _, _ = select.select([left], [], [], GUARD_SECONDS)
    if ready:
        return Finding("guard", "ok", "a program died with the server that had started it, killed outright")
    return Finding("guard", "broken", "a program outlived its server by a minute at most", "is `/bin/sh` there?")


def _tracing() -> Finding:
    """Attaching by process id, and gdb as a whole, need the kernel's tracing."""
    if sys.platform != "linux":
        return Finding("ptrace", "info", "not checked on this platform")
    scope = SCOPE.read_text().strip() if SCOPE.is_file() else "0"
    if not _can_trace():
        return Finding("ptrace", "broken", "refused, even of our own child", "in a container: --cap-add=SYS_PTRACE")
    if scope == "0" or (os.geteuid() == 0 and scope in "12"):
        return Finding("ptrace", "ok", "programs can be traced, running ones too")
    remedy = "to attach by process id: sudo sysctl kernel.yama.ptrace_scope=0"
    return Finding("ptrace", "info", f"can be traced: {SCOPES.get(scope, scope)}", remedy)


def _can_trace() -> bool:
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        return bool(ptrace(SEIZE, child.pid, None, None) == 0)
    finally:
        with suppress(OSError):
            ptrace(DETACH, child.pid, None, None)
        child.kill()
        child.communicate()


def _http() -> Finding:
    if find_spec("mcp") is None or find_spec("uvicorn") is None:
        return Finding("HTTP", "info", "not installed", "only where it is wanted: pip install 'dapwright[full]'")
    return Finding("HTTP", "ok", "`dapwright serve --http` has what it needs")
