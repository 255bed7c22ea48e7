"""DAP framing, without I/O: bytes in, message bodies out."""

from collections.abc import Iterator

from dapwright.core.errors import ProtocolError

END = b"\r\n\r\n"
NAME = b"Content-Length:"
"""Whatever comes before this is noise: rdbg 1.4.0 and gdb print into the same pipe."""
MAX_BODY = 128 * 1024 * 1024
MAX_NOISE = 1024 * 1024
"""How much may stand before a header: a peer that sends more speaks another protocol."""


def frame(body: bytes) -> bytes:
    """Return `body` with the header that announces its length in bytes."""
    return b"Content-Length: %d%s%s" % (len(body), END, body)


class Decoder:
    """Feed it whatever the pipe gave; iterate over the whole bodies so far.

    Every byte is looked at a bounded number of times, however the stream is cut:
    a body that is still incomplete costs one comparison a chunk.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._start = 0  # where the body begins, once its header was read
        self._size = -1  # its length in bytes; -1 while no header was read
        self.noise = bytearray()
        """What the peer printed between messages: its last words when it dies."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take `data` in; yield each complete body.

        Raises:
            ProtocolError: the stream holds no usable header.
        """
        self._buffer += data
        while self._size >= 0 or self._read_header():
            end = self._start + self._size
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[self._start : end])
            del self._buffer[:end]
            self._size = -1
            yield body

    def _read_header(self) -> bool:
        at = self._buffer.lower().find(NAME.lower()) if NAME not in self._buffer else self._buffer.find(NAME)
        if at < 0:
            self._drop_noise(len(self._buffer) - len(NAME))
            return False
        self._drop_noise(at)
        head = self._buffer.find(END)
        if head < 0:
            if len(self._buffer) > MAX_NOISE:
                raise ProtocolError(f"the peer sent a header without an end: {bytes(self._buffer[:80])!r}")
            return False
        self._size = self._length(bytes(self._buffer[:head]))
        self._start = head + len(END)
        return True

    def _drop_noise(self, size: int) -> None:
        if size <= 0:
            return
        self.noise += self._buffer[:size]
        if len(self.noise) > MAX_NOISE:
            raise ProtocolError(f"the peer does not speak the Debug Adapter Protocol: {bytes(self.noise[:80])!r}")
        del self._buffer[:size]

    @staticmethod
    def _length(header: bytes) -> int:
        for line in header.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                size = int(value)
                if size <= MAX_BODY:
                    return size
                raise ProtocolError(f"the peer announced a message of {size} bytes; at most {MAX_BODY} are taken")
        raise ProtocolError(f"the peer sent a header without a usable Content-Length: {header[:80]!r}")
