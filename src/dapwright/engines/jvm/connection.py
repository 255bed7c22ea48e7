"""One JDWP connection: commands and their replies by number, events as they come."""

import asyncio
import itertools
import socket
from collections.abc import Callable
from typing import Any

from dapwright.core.errors import AdapterError, ProtocolError
from dapwright.engines.jvm.codes import ERRORS, EVENT, ID_SIZES, Command
from dapwright.engines.jvm.events import Happening, read_happening
from dapwright.engines.jvm.packets import HANDSHAKE, Packet, Reader, Sizes, Stream, Writer, command

SECONDS = 8.0
"""The limit of one command: below the client's own, so that the cause is told."""
HANDSHAKE_SECONDS = 5.0


class JdwpError(AdapterError):
    """The JVM refused a command; `number` is its error code."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the JVM refused: {ERRORS.get(number, f'error {number}')}")
        self.number = number


class Connection(asyncio.Protocol):
    """Sends commands; hands each event to `on_event`, and the end of the connection to `on_end`, once."""

    def __init__(self) -> None:
        self.sizes = Sizes()
        self.on_event: Callable[[Happening], None] = lambda happening: None
        self.on_end: Callable[[str], None] = lambda words: None
        self.commands = 0
        """How many were sent: for measurements."""
        self.ended: str | None = None
        self._stream = Stream()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Packet]] = {}
        self._transport: asyncio.Transport | None = None
        self._greeting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._early: list[Packet] | None = []
        """Events cannot be read before the sizes of ids are known: they wait for `greet`."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]
        link = transport.get_extra_info("socket")
        if link is not None:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._write(HANDSHAKE)

    def data_received(self, data: bytes) -> None:
        try:
            for packet in self._stream.feed(data):
                self._take(packet)
            if self._stream.greeted and not self._greeting.done():
                self._greeting.set_result(None)
        except ProtocolError as broken:
            self._end(str(broken))

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(f"the connection to the JVM broke ({exc})" if exc else "the JVM closed the connection")

    async def greet(self) -> None:
        """Wait for the handshake and learn the sizes of ids.

        Raises:
            ProtocolError: the peer does not speak JDWP, or says nothing.
        """
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                await self._greeting
        except TimeoutError:
            self.close()
            raise ProtocolError(
                f"the peer said nothing for {HANDSHAKE_SECONDS:g} s; it may not be a JVM, or another debugger has it"
            ) from None
        reader = await self.ask(ID_SIZES)
        field, method, object_id, type_id, frame = (reader.i32() for _ in range(5))
        self.sizes = Sizes(field, method, object_id, type_id, frame)

    def start(self) -> None:
        """Hand out the events that came meanwhile, and each later one as it comes; call it once listeners are set."""
        early, self._early = self._early or [], None
        for packet in early:
            self._tell(packet)

    def writer(self) -> Writer:
        return Writer(self.sizes)

    def send(self, what: Command, data: Writer | bytes = b"") -> "asyncio.Future[Packet]":
        """Send a command now; the future holds its reply (commands may be piped).

        Raises:
            ProtocolError: the connection has ended.
        """
        if self.ended is not None:
            raise ProtocolError(self.ended)
        number = next(self._numbers)
        self.commands += 1
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._write(command(number, what, data if isinstance(data, bytes) else data.done()))
        return future

    async def ask(self, what: Command, data: Writer | bytes = b"", *, seconds: float = SECONDS) -> Reader:
        """Send a command and read its reply.

        Raises:
            JdwpError: the JVM refused it.
            ProtocolError: the JVM is gone, or silent for `seconds`.
        """
        return await self.result(self.send(what, data), seconds=seconds, what=what)

    async def result(
        self, future: "asyncio.Future[Packet]", *, seconds: float = SECONDS, what: Command = (0, 0)
    ) -> Reader:
        """Wait for the reply of a command sent before."""
        done, _ = await asyncio.wait([future], timeout=seconds)
        if not done:
            raise ProtocolError(f"the JVM did not answer command {what[0]}.{what[1]} within {seconds:g} s")
        packet = future.result()
        if packet.error:
            raise JdwpError(packet.error)
        return Reader(packet.data, self.sizes)

    def close(self) -> None:
        """Close the socket; a JVM that waits for it goes on by itself."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _take(self, packet: Packet) -> None:
        if packet.reply:
            future = self._waiting.pop(packet.id, None)
            if future is not None and not future.done():
                future.set_result(packet)
        elif packet.command == EVENT:
            if self._early is None:
                self._tell(packet)
            else:
                self._early.append(packet)

    def _tell(self, packet: Packet) -> None:
        self.on_event(read_happening(packet.data, self.sizes))

    def _end(self, words: str) -> None:
        if self.ended is not None:
            return
        self.ended = words
        self.close()
        failure = ProtocolError(words)
        waiting: list[asyncio.Future[Any]] = [*self._waiting.values(), self._greeting]
        self._waiting.clear()
        for future in waiting:
            if not future.done():
                future.set_exception(failure)
                future.exception()  # nobody may be waiting any more
        self.on_end(words)


async def connect(host: str, port: int) -> Connection:
    """Join a JVM that listens.

    Raises:
        AdapterError: nothing listens there.
        ProtocolError: what listens is no JVM.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            _, link = await loop.create_connection(Connection, host, port)
    except (OSError, TimeoutError) as bad:
        raise AdapterError(
            f"nothing answers at {host}:{port} ({bad or 'timed out'})",
            "start the JVM with `-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:PORT`",
        ) from bad
    await link.greet()
    return link
