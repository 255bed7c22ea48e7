"""A workspace's control endpoint: the engine of standard input and output, on a socket.

A Unix socket in the registry's folder, or where there is none a loopback port whose
connections begin with a line that holds a key. Whoever gets in acts for the HTTP clients
of this user and says for whom (`CLIENT_KEY`).
"""

import asyncio
import contextlib
import hmac
import os
import secrets
import socket
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from dapwright.policy.settings import Settings
from dapwright.server.host import SessionsHost
from dapwright.server.opening import Opening
from dapwright.server.registry import LONGEST_SOCKET_PATH, private
from dapwright.server.stdio import Engine

HELLO_SECONDS = 5.0
LONGEST_HELLO = 256


class Control:
    """Listens for routers, each served by an engine of its own, until it is closed."""

    def __init__(self, host: SessionsHost, settings: Settings, folder: Path, *, unix: bool | None = None) -> None:
        self._host = host
        self._settings = settings
        self._folder = folder
        self._unix = hasattr(socket, "AF_UNIX") if unix is None else unix
        self._tasks: set[asyncio.Task[None]] = set()
        self.key = ""
        self.address = ""

    def open(self) -> None:
        """Bind the address and begin to accept."""
        if self._unix:
            path = socket_path(self._folder)
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            before = os.umask(0o177)
            try:
                listener.bind(path)
            finally:
                os.umask(before)
            self.address = f"unix:{path}"
        else:
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            listener.bind(("127.0.0.1", 0))
            self.key = secrets.token_urlsafe(32)
            self.address = f"tcp:{listener.getsockname()[1]}"
        listener.listen(64)
        listener.setblocking(False)
        self._listener = listener
        self._start(self._accept())

    async def close(self) -> None:
        """Hang up on everybody, and take the address away."""
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2)
        self._listener.close()
        kind, _, place = self.address.partition(":")
        if kind == "unix":
            Path(place).unlink(missing_ok=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._listener)
            except OSError:
                return
            self._start(self._serve(connection))

    async def _serve(self, connection: socket.socket) -> None:
        """Serve one router, from its first line to its end."""
        with connection:
            if self.key and not await self._let_in(connection):
                return
            connection.setblocking(True)
            engine = Engine(Opening(lambda: self._host), self._settings, routed=True)
            try:
                await engine.run(connection.fileno(), connection.fileno())
            finally:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)  # lets go of the engine's reading thread
                await engine.read_all()

    async def _let_in(self, connection: socket.socket) -> bool:
        connection.setblocking(False)
        loop, line = asyncio.get_running_loop(), b""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                while not line.endswith(b"\n") and len(line) < LONGEST_HELLO:
                    byte = await loop.sock_recv(connection, 1)
                    if not byte:
                        return False
                    line += byte
        except (TimeoutError, OSError):
            return False
        return hmac.compare_digest(line.strip(), self.key.encode())


def socket_path(folder: Path) -> str:
    """A free path for a socket; a system allows about a hundred characters of one."""
    name = f"{os.getpid()}-{secrets.token_hex(4)}.sock"
    path = str(folder / name)
    if len(path.encode()) <= LONGEST_SOCKET_PATH:
        return path
    return str(private(Path(tempfile.gettempdir()) / f"dapwright-{os.getuid()}") / name)
