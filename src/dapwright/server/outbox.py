"""The pipe to the client: one thread writes what it does not take at once, so that a client that does not read stops
nothing else."""

import contextlib
import os
import queue
import select
import socket
import stat
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
        self._at_once = _at_once(descriptor)
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
            if not self._waiting:  # the thread has nothing to write, and gets nothing meanwhile
                with contextlib.suppress(OSError):  # the thread meets the same, and says so
                    line = line[self._at_once(line) :]
            if line:
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


def _at_once(descriptor: int) -> Callable[[bytes], int]:
    """A function that writes what can be written without waiting, and returns how many bytes that was."""
    kind = os.fstat(descriptor).st_mode
    if os.name == "posix" and stat.S_ISFIFO(kind):
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)

        def write(line: bytes) -> int:
            # so much fits into a pipe that is called writable; more could wait
            fits = len(line) <= select.PIPE_BUF and poll.poll(0) == [(descriptor, select.POLLOUT)]
            return os.write(descriptor, line) if fits else 0

        return write
    if os.name == "posix" and stat.S_ISSOCK(kind):

        def send(line: bytes) -> int:
            peer = socket.socket(fileno=descriptor)
            try:
                return peer.send(line, socket.MSG_DONTWAIT)
            finally:
                peer.detach()  # the descriptor is not ours to close

        return send
    return lambda line: 0
