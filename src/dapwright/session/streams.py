"""What processes write, as text in pieces that a transcript can keep."""

import codecs
from collections.abc import Iterator

PIECE = 4096
"""Characters; a flood is kept by its lines, and not cut in the middle of what one read happened to bring."""


class Streams:
    """The output streams of a session's processes; each keeps the half of a character that it was cut in."""

    def __init__(self) -> None:
        self._decoders: dict[tuple[int, int], codecs.IncrementalDecoder] = {}

    def pieces(self, pid: int, fd: int, data: bytes) -> Iterator[str]:
        """Decode what was read (`b""` at the end), in pieces that end with a line where they can."""
        if (pid, fd) not in self._decoders:
            self._decoders[pid, fd] = codecs.getincrementaldecoder("utf-8")(errors="replace")
        yield from pieces(self._decoders[pid, fd].decode(data, final=not data))


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """Part what one read brought at line ends, so that a flood is kept by its lines and not cut in its middle."""
    start = 0
    while len(text) - start > size:
        end = text.rfind("\n", start, start + size) + 1 or text.find("\n", start + size) + 1 or len(text)
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]
