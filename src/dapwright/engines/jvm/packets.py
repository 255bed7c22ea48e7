"""JDWP packets, without I/O: bytes in, packets out (the specification's `Packet` and `Data types`)."""

import struct
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from dapwright.core.errors import ProtocolError

HANDSHAKE = b"JDWP-Handshake"
HEADER = struct.Struct(">IIB2s")
REPLY = 0x80
MAX_PACKET = 256 * 1024 * 1024
NUMBERS = {"B": ">b", "C": ">H", "S": ">h", "I": ">i", "J": ">q", "F": ">f", "D": ">d"}


class Sizes(Struct, frozen=True):
    """How many bytes each kind of id takes in this JVM (VirtualMachine.IDSizes); HotSpot has 8 everywhere."""

    field: int = 8
    method: int = 8
    object: int = 8
    type: int = 8
    frame: int = 8


class Packet(Struct, frozen=True):
    """A command of the JVM (an event), or its reply to one of ours."""

    id: int
    data: bytes
    reply: bool
    error: int = 0
    command: tuple[int, int] = (0, 0)


class Value(Struct, frozen=True):
    """A Java value: its JDWP tag (`I`, `L`, `s`, ...), and a number, a boolean or an object id (0 is null)."""

    tag: str
    value: Any

    @property
    def is_object(self) -> bool:
        return self.tag not in "BCSIJFDZV"

    @property
    def is_null(self) -> bool:
        return self.is_object and self.value == 0


NULL = Value("L", 0)
VOID = Value("V", None)


class Location(Struct, frozen=True):
    """A code index in a method of a class; `type` 0 is nowhere."""

    tag: int
    type: int
    method: int
    index: int


class Reader:
    """Reads the data of one packet, front to back."""

    def __init__(self, data: bytes, sizes: Sizes) -> None:
        self._data = data
        self._at = 0
        self._sizes = sizes

    def _take(self, size: int) -> bytes:
        end = self._at + size
        if size < 0 or end > len(self._data):
            raise ProtocolError(f"the JVM sent a packet that ends after {len(self._data)} bytes; {end} were announced")
        piece = self._data[self._at : end]
        self._at = end
        return piece

    def _number(self, form: str, size: int) -> Any:
        return struct.unpack(form, self._take(size))[0]

    def byte(self) -> int:
        return self._take(1)[0]

    def boolean(self) -> bool:
        return self.byte() != 0

    def i32(self) -> int:
        return int(self._number(">i", 4))

    def i64(self) -> int:
        return int(self._number(">q", 8))

    def text(self) -> str:
        """A string in the JVM's own UTF-8 (surrogates may stand alone)."""
        return self._take(self.i32()).decode("utf-8", "surrogatepass")

    def piece(self, size: int) -> bytes:
        return self._take(size)

    def object(self) -> int:
        return int.from_bytes(self._take(self._sizes.object), "big")

    def type(self) -> int:
        return int.from_bytes(self._take(self._sizes.type), "big")

    def method(self) -> int:
        return int.from_bytes(self._take(self._sizes.method), "big")

    def field(self) -> int:
        return int.from_bytes(self._take(self._sizes.field), "big")

    def frame(self) -> int:
        return int.from_bytes(self._take(self._sizes.frame), "big")

    def location(self) -> Location:
        return Location(self.byte(), self.type(), self.method(), self.i64())

    def tagged(self) -> Value:
        """A value that says its own kind."""
        return self.value(chr(self.byte()))

    def value(self, tag: str) -> Value:
        """A value whose kind is known."""
        if tag == "Z":
            return Value(tag, self.boolean())
        if tag == "V":
            return VOID
        form = NUMBERS.get(tag)
        if form:
            return Value(tag, self._number(form, struct.calcsize(form)))
        return Value(tag, self.object())


class Writer:
    """Builds the data of one command; every call returns the writer."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._data = bytearray()

    def done(self) -> bytes:
        return bytes(self._data)

    def raw(self, data: bytes) -> "Writer":
        self._data += data
        return self

    def byte(self, number: int) -> "Writer":
        return self.raw(struct.pack(">B", number))

    def i32(self, number: int) -> "Writer":
        return self.raw(struct.pack(">i", number))

    def i64(self, number: int) -> "Writer":
        return self.raw(struct.pack(">q", number))

    def text(self, words: str) -> "Writer":
        data = words.encode("utf-8", "surrogatepass")
        return self.i32(len(data)).raw(data)

    def object(self, number: int) -> "Writer":
        return self.raw(number.to_bytes(self._sizes.object, "big"))

    def type(self, number: int) -> "Writer":
        return self.raw(number.to_bytes(self._sizes.type, "big"))

    def method(self, number: int) -> "Writer":
        return self.raw(number.to_bytes(self._sizes.method, "big"))

    def field(self, number: int) -> "Writer":
        return self.raw(number.to_bytes(self._sizes.field, "big"))

    def frame(self, number: int) -> "Writer":
        return self.raw(number.to_bytes(self._sizes.frame, "big"))

    def location(self, place: Location) -> "Writer":
        return self.byte(place.tag).type(place.type).method(place.method).i64(place.index)

    def value(self, value: Value) -> "Writer":
        """The value alone, where the JVM knows its kind."""
        if value.tag == "Z":
            return self.byte(1 if value.value else 0)
        form = NUMBERS.get(value.tag)
        return self.raw(struct.pack(form, value.value)) if form else self.object(value.value)

    def tagged(self, value: Value) -> "Writer":
        return self.byte(ord(value.tag)).value(value)


def command(number: int, what: tuple[int, int], data: bytes) -> bytes:
    """Return the packet of a command of ours: its number, (command set, command), its data."""
    return HEADER.pack(HEADER.size + len(data), number, 0, bytes(what)) + data


class Stream:
    """Feed it what the socket gave; it yields packets, the handshake once read."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.greeted = False

    def feed(self, data: bytes) -> Iterator[Packet]:
        """Take `data` in; yield each complete packet.

        Raises:
            ProtocolError: the peer does not speak JDWP.
        """
        self._buffer += data
        if not self.greeted and not self._greet():
            return
        while len(self._buffer) >= HEADER.size:
            size, number, flags, tail = HEADER.unpack_from(self._buffer)
            if not HEADER.size <= size <= MAX_PACKET:
                raise ProtocolError(f"the JVM announced a packet of {size} bytes: it does not speak JDWP")
            if len(self._buffer) < size:
                return
            body = bytes(self._buffer[HEADER.size : size])
            del self._buffer[:size]
            yield _packet(number, flags, tail, body)

    def _greet(self) -> bool:
        start = bytes(self._buffer[: len(HANDSHAKE)])
        if not HANDSHAKE.startswith(start):
            raise ProtocolError(f"the peer does not speak JDWP; it said {start!r}")
        if len(start) < len(HANDSHAKE):
            return False
        del self._buffer[: len(HANDSHAKE)]
        self.greeted = True
        return True


def _packet(number: int, flags: int, tail: bytes, body: bytes) -> Packet:
    if flags & REPLY:
        return Packet(number, body, True, error=int.from_bytes(tail, "big"))
    return Packet(number, body, False, command=(tail[0], tail[1]))
