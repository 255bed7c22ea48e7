"""The pipe to the client: one thread writes it, so that a client that does not read stops nothing else."""

import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from dapwright.server.protocol import encode

MOST_WAITING_BYTES = 8 * 1024 * 1024
"""Beyond this backlog notifications are dropped: a client that reads again reads the state anyway."""


def claim_pipes() -> tuple[int, int]:
    """Take the protocol's pipes for ourselves: stray reads see the end, stray prints go to standard error.

    Returns descriptors for reading and for writing the protocol.
    """
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (reading, writing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    return reading, writing


class Outbox:
    """Messages on their way out, in order; `lost` is called once when the client is gone."""

    def __init__(self, descriptor: int, lost: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._lost = lost
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._write, name="outbox", daemon=True)
        self._thread.start()

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message that must arrive; from any thread, never blocking."""
        self._put(encode(message))

    def mention(self, message: Mapping[str, Any]) -> None:
        """Queue a notification, unless the client has left too much unread."""
        if self._waiting < MOST_WAITING_BYTES:
            self._put(encode(message))

    def flush(self, seconds: float) -> None:
        """Write what is queued and end, waiting so long at most."""
        self._queue.put(None)
        self._thread.join(seconds)

    def _put(self, line: bytes) -> None:
        with self._lock:
            self._waiting += len(line)
        self._queue.put(line)

    def _write(self) -> None:
        while (line := self._queue.get()) is not None:
            rest = memoryview(line)
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError:
                self._lost()
                return
            with self._lock:
                self._waiting -= len(line)
