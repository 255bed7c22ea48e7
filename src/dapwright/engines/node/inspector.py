"""A connection to a V8 inspector: the Chrome DevTools Protocol over a WebSocket.

    inspector = await connect("ws://127.0.0.1:9229/<id>")
    answer = await inspector.ask("Debugger.enable")

Events go to `inspector.listen`, in the order they came, from the same loop turn that read them.
A worker's messages travel inside its parent's (`Route`).
"""

import asyncio
import itertools
import json
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from dapwright.core.errors import AdapterError, ProtocolError, SetupError

if TYPE_CHECKING:
    from websockets.client import ClientProtocol

MAX_MESSAGE = 256 * 1024 * 1024
SECONDS = 10.0
"""How long the inspector may take to answer; what runs the program's own code sets its own limit."""

Answer = dict[str, Any]
Listener = Callable[[str, Answer], None]

_encode = msgspec.json.encode
_decode = msgspec.json.decode


class Gone(ProtocolError):
    """The inspector's connection ended."""

    code = "protocol"


class Inspector:
    """One conversation: requests find their answers by number, whatever carries the text."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self.listen: Listener = lambda method, params: None
        self.ended: Callable[[], None] = lambda: None
        self.closed = False
        self.close: Callable[[], None] = lambda: None
        self._send = send
        self._ids = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Answer]] = {}

    def start(self, method: str, **params: Any) -> asyncio.Future[Answer]:
        """Send a request now; the future holds its answer. A failure nobody waits for is dropped."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self.closed:
            future.set_exception(Gone("the program's inspector has gone"))
            return future
        number = next(self._ids)
        self._asked[number] = future
        self._send(_text({"id": number, "method": method, "params": params}))
        return future

    async def ask(self, method: str, *, seconds: float = SECONDS, **params: Any) -> Answer:
        """Send a request and wait for its answer.

        Raises:
            AdapterError: V8 refused, in its own words, or did not answer in time.
            Gone: the connection ended first.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self.start(method, **params)
        except TimeoutError:
            raise AdapterError(f"the inspector did not answer `{method}` within {seconds:g} s") from None

    def take(self, text: str | bytes) -> None:
        """Read one message of the inspector's."""
        message = _parse(text)
        number = message.get("id")
        if number is None:
            self.listen(message["method"], message.get("params") or {})
            return
        future = self._asked.pop(number, None)
        if future is None or future.done():
            return
        if "error" in message:
            future.set_exception(AdapterError(message["error"].get("message", "the inspector refused")))
        else:
            future.set_result(message.get("result") or {})

    def end(self) -> None:
        """The connection is over: whoever waits is told."""
        if self.closed:
            return
        self.closed = True
        for future in self._asked.values():
            if not future.done():
                future.set_exception(Gone("the program's inspector has gone"))
        self._asked.clear()
        self.ended()


def _text(message: Answer) -> str:
    try:
        return _encode(message).decode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can escape
        return json.dumps(message)


def _parse(text: str | bytes) -> Answer:
    try:
        return _decode(text)  # type: ignore[no-any-return]
    except (msgspec.DecodeError, UnicodeDecodeError):  # V8 sends lone surrogates as they are
        loose = text.decode("utf-8", "surrogatepass") if isinstance(text, bytes) else text
        return json.loads(loose)  # type: ignore[no-any-return]


class _Socket(asyncio.Protocol):
    """The WebSocket without a stream between: `websockets` frames it, and every read is acknowledged at once.

    Node writes a frame's head and body as two segments; with Linux's delayed acknowledgement each
    exchange would last 40 ms more. TCP_QUICKACK is not sticky, so it is set again every time.
    """

    def __init__(self, protocol: "ClientProtocol") -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.inspector = Inspector(self._send_text)
        self.inspector.close = self._close
        self._protocol = protocol
        self._parts: list[bytes] = []
        from websockets.frames import Frame  # late, as the protocol itself

        self._frame = Frame

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._socket = transport.get_extra_info("socket")
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if not isinstance(event, self._frame):
                self._greet()
            elif event.opcode in (0, 1, 2):
                self._parts.append(bytes(event.data))
                if event.fin:
                    whole = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
                    self._parts.clear()
                    self.inspector.take(whole)
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the connection was closed during the handshake"))
        self.inspector.end()

    def _greet(self) -> None:
        if self.opened.done():
            return
        bad = self._protocol.handshake_exc
        if bad is None:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(str(bad)))

    def _send_text(self, text: str) -> None:
        self._protocol.send_text(text.encode())
        self._flush()

    def _close(self) -> None:
        if not self._transport.is_closing():
            self._protocol.send_close(1000)
            self._flush()
            self._transport.close()
        self.inspector.end()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
        if hasattr(socket, "TCP_QUICKACK") and not self._transport.is_closing():
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


async def connect(url: str, *, seconds: float = SECONDS) -> Inspector:
    """Connect to the inspector at a `ws://` address.

    Raises:
        SetupError: nobody listens there, or it is no inspector.
    """
    from websockets.client import ClientProtocol  # late: 30 ms that a warm start has already paid
    from websockets.uri import parse_uri

    at = urlsplit(url)
    protocol = ClientProtocol(parse_uri(url), max_size=MAX_MESSAGE)
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            _, wire = await loop.create_connection(lambda: _Socket(protocol), at.hostname or "", at.port or 80)
            await wire.opened
    except (OSError, TimeoutError) as bad:
        raise SetupError(f"cannot talk to an inspector at `{url}`: {bad or 'no answer'}") from bad
    return wire.inspector


def route(parent: Inspector, session: str) -> Inspector:
    """Return a worker's conversation inside its parent's (`NodeWorker`)."""

    def send(text: str) -> None:
        parent.start("NodeWorker.sendMessageToWorker", sessionId=session, message=text)

    return Inspector(send)
