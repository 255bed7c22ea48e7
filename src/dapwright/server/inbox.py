"""The pipe from the client: one thread reads it, so that even a stuck loop leaves each call watched."""

import os
import threading
from collections.abc import Callable, Iterator

LONGEST_LINE_BYTES = 64 * 1024 * 1024
CHUNK_BYTES = 256 * 1024


class Lines:
    """Bytes in, lines out; a line beyond all measure is skipped and told as None."""

    def __init__(self, longest: int = LONGEST_LINE_BYTES) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> Iterator[bytes | None]:
        """Take some bytes; yield the lines that they complete, None for each that was too long."""
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            line = self._add(part)
            if self._skipping:
                yield None
            elif line:
                yield b"".join(self._parts)
            self._parts, self._size, self._skipping = [], 0, False
        self._add(rest)

    def rest(self) -> bytes:
        """What came after the last line's end."""
        return b"" if self._skipping else b"".join(self._parts)

    def _add(self, part: bytes) -> bool:
        self._size += len(part)
        if self._size > self._longest:
            self._skipping, self._parts = True, []
        if part and not self._skipping:
            self._parts.append(part)
        return bool(self._parts)


def start_reading(descriptor: int, take: Callable[[bytes | None], None], ended: Callable[[], None]) -> threading.Thread:
    """Read lines in a thread of their own; `ended` is called at the end of the input."""

    def read() -> None:
        lines = Lines()
        try:
            while chunk := os.read(descriptor, CHUNK_BYTES):
                for line in lines.feed(chunk):
                    take(line)
        except OSError:
            pass  # the pipe broke: the same as its end
        if rest := lines.rest():
            take(rest)
        ended()

    thread = threading.Thread(target=read, name="inbox", daemon=True)
    thread.start()
    return thread
