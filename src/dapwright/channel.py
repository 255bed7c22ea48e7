"""A byte stream to an adapter: its own pipes, a TCP port or a Unix socket."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from dapwright.core.errors import ProtocolError
from dapwright.transport import QUICKACK, Process

RETRY_SECONDS = 0.01


class Channel(Protocol):
    """Bytes to and from a debugger. `on_data` gets what it says, `b""` at the end."""

    on_data: Callable[[bytes], None]

    def open(self) -> None:
        """Begin to read: `on_data` is set."""

    def write(self, data: bytes) -> None:
        """Send; never waits."""

    def close(self) -> None:
        """Hang up."""


class Pipes:
    """A channel over the adapter's own standard input and output."""

    def __init__(self, process: Process) -> None:
        self.on_data: Callable[[bytes], None] = lambda data: None
        self._process = process

    def open(self) -> None:
        """Begin to read, from the adapter's first byte on."""
        self._process.listen(1, lambda data: self.on_data(data))

    def write(self, data: bytes) -> None:
        self._process.write(data)

    def close(self) -> None:
        self._process.close_input()


class Socket(asyncio.Protocol):
    """A channel over a socket.

    Many adapters write header and body apart and leave Nagle's algorithm on; with our
    kernel's delayed acknowledgement each exchange then takes 44 ms. Asking for a quick
    acknowledgement around every read and write makes it 1 ms (Linux; it does not stick).
    """

    def __init__(self) -> None:
        self.on_data: Callable[[bytes], None] = lambda data: None
        self._transport: asyncio.Transport
        self._socket: socket.socket | None = None
        self._early: list[bytes] | None = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        raw = transport.get_extra_info("socket")
        if QUICKACK is not None and raw is not None and raw.family in (socket.AF_INET, socket.AF_INET6):
            self._socket = raw
        self._acknowledge()

    def data_received(self, data: bytes) -> None:
        self._acknowledge()
        self._deliver(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._socket = None
        self._deliver(b"")

    def _deliver(self, data: bytes) -> None:
        if self._early is None:
            self.on_data(data)
        else:
            self._early.append(data)

    def open(self) -> None:
        """Begin to read, from the first byte on."""
        early, self._early = self._early or [], None
        for data in early:
            self.on_data(data)

    def write(self, data: bytes) -> None:
        if self._transport.is_closing():
            raise ProtocolError("the debugger has closed the connection")
        self._transport.write(data)
        self._acknowledge()

    def close(self) -> None:
        self._transport.close()

    def _acknowledge(self) -> None:
        if self._socket is not None and QUICKACK is not None:
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)


async def dial(host: str, port: int, *, process: Process | None = None) -> Socket:
    """Connect to a port; while `process` (which is to open it) lives, try again until it listens.

    Raises:
        OSError: nothing listens there.
        ProtocolError: the process ended before it listened.
    """
    while True:
        try:
            _, channel = await asyncio.get_running_loop().create_connection(Socket, host, port)
        except OSError:
            if process is None:
                raise
            await _again(process)
        else:
            return channel


async def dial_path(path: str, *, process: Process | None = None) -> Socket:
    """Connect to a Unix socket, as `dial` does to a port."""
    while True:
        try:
            _, channel = await asyncio.get_running_loop().create_unix_connection(Socket, path)
        except OSError:
            if process is None:
                raise
            await _again(process)
        else:
            return channel


async def _again(process: Process) -> None:
    """Pass the moment between two tries; a process that ends meanwhile will never listen."""
    await asyncio.wait([process.ended], timeout=RETRY_SECONDS)
    if not process.running:
        words = process.last_words.decode(errors="replace").strip()
        raise ProtocolError(f"`{Path(process.argv[0]).name}` ended before it listened: {words or 'it said nothing'}")


async def heard(process: Process, words: str, seconds: float) -> None:
    """Wait until a process has written `words` on stderr: it listens now.

    Raises:
        ProtocolError: it ended, or `seconds` passed, before it did.
    """
    wanted = words.encode()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while wanted not in process.last_words and process.running:
                process.spoke.clear()
                speaks: asyncio.Future[Any] = asyncio.ensure_future(process.spoke.wait())
                ended: asyncio.Future[Any] = process.ended
                await asyncio.wait([speaks, ended], return_when=asyncio.FIRST_COMPLETED)
                speaks.cancel()
    if wanted not in process.last_words:
        said = process.last_words.decode(errors="replace").strip() or "it said nothing"
        raise ProtocolError(f"`{Path(process.argv[0]).name}` never waited for its debugger: {said}")


def free_port() -> int:
    """Return a TCP port of the loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def socket_path() -> str:
    """Return a fresh path for a Unix socket, in a folder that only we can enter."""
    import tempfile  # late: few engines want a socket

    return str(Path(tempfile.mkdtemp(prefix="dapwright-")) / f"{os.getpid()}.sock")
