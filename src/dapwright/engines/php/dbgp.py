"""One DBGp connection: commands to Xdebug, its answers, and what it tells unasked.

Both ways end with NUL: `command -i 1 args -- base64` there, `length NUL xml NUL` here
(https://xdebug.org/docs/dbgp). An answer to `run` or a step comes at the next stop.
"""

import asyncio
import base64
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import count

from dapwright.core.errors import AdapterError, ProtocolError

NAMES = {"d": "urn:debugger_protocol_v1", "x": "https://xdebug.org/dbgp/xdebug"}
LARGEST = 64 * 1024 * 1024
"""Bytes of one packet beyond which it is no packet."""


class Refused(AdapterError):
    """Xdebug refused a command; `number` is DBGp's error code."""

    def __init__(self, number: str, message: str) -> None:
        super().__init__(message or f"Xdebug refused it (error {number})")
        self.number = number


class Packets:
    """Bytes in, XML elements out."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[ET.Element]:
        """Take bytes; return what is complete.

        Raises:
            ProtocolError: this is not DBGp.
        """
        self._rest += data
        found = []
        while (end := self._rest.find(b"\0")) >= 0:
            head = self._rest[:end]
            if not head.isdigit() or int(head) > LARGEST:
                raise ProtocolError(f"this is not DBGp: {head[:40]!r}")
            size = int(head)
            if len(self._rest) < end + size + 2:
                break
            body = self._rest[end + 1 : end + 1 + size]
            self._rest = self._rest[end + size + 2 :]
            try:
                found.append(ET.fromstring(body))
            except ET.ParseError as wrong:
                raise ProtocolError(f"Xdebug sent XML that is none: {wrong}") from None
        return found


class Connection(asyncio.Protocol):
    """A PHP request under Xdebug. `on_init` and `on_end` are called once, `on_told` for notices and output."""

    def __init__(
        self,
        on_init: Callable[["Connection", ET.Element], None],
        on_told: Callable[["Connection", ET.Element], None],
        on_end: Callable[["Connection"], None],
    ) -> None:
        self._on_init, self._on_told, self._on_end = on_init, on_told, on_end
        self._packets = Packets()
        self._ids = count(1)
        self._waiting: dict[str, asyncio.Future[ET.Element]] = {}
        self._transport: asyncio.Transport | None = None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            packets = self._packets.feed(data)
        except ProtocolError:
            self.close()
            return
        for packet in packets:
            self._take(packet)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ProtocolError("the PHP request has ended"))
                waiting.exception()  # who let go of it need not hear of it
        self._waiting.clear()
        self._on_end(self)

    def _take(self, packet: ET.Element) -> None:
        match packet.tag.rpartition("}")[2]:
            case "init":
                self._on_init(self, packet)
            case "response":
                waiting = self._waiting.pop(packet.get("transaction_id", ""), None)
                if waiting is None or waiting.done():
                    return
                error = packet.find("d:error", NAMES)
                if error is None:
                    waiting.set_result(packet)
                else:
                    told = (error.findtext("d:message", "", NAMES) or "").strip()
                    waiting.set_exception(Refused(error.get("code", "?"), told))
                    waiting.exception()
            case _:
                self._on_told(self, packet)

    def send(self, command: str, *words: str, data: str | None = None) -> "asyncio.Future[ET.Element]":
        """Send a command; the future holds its answer, or Refused."""
        number = str(next(self._ids))
        answer: asyncio.Future[ET.Element] = asyncio.get_running_loop().create_future()
        if self.closed or self._transport is None:
            answer.set_exception(ProtocolError("the PHP request has ended"))
            answer.exception()
            return answer
        self._waiting[number] = answer
        line = " ".join([command, "-i", number, *words])
        tail = "" if data is None else " -- " + base64.b64encode(data.encode()).decode()
        self._transport.write((line + tail).encode() + b"\0")
        return answer

    def close(self) -> None:
        """Hang up: the request runs on by itself."""
        if self._transport is not None:
            self._transport.close()


def quoted(text: str) -> str:
    """A word of a command, in quotes where it needs them."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\\0") + '"'


def text_of(element: ET.Element) -> str:
    """An element's text, decoded."""
    text = element.text or ""
    if element.get("encoding") == "base64":
        return base64.b64decode(text).decode("utf-8", "replace")
    return text
