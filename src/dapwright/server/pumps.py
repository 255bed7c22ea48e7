"""Pipes in front of a socket, for the engine reads and writes files: on Windows a socket is none."""

import contextlib
import os
import socket
import sys
import threading

CHUNK_BYTES = 256 * 1024


class Pumps:
    """Two threads that carry bytes between a connection and the pipes `reading` and `writing`."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.reading, self._inner = _pipe()
        self._outer, self.writing = _pipe()
        self._out = threading.Thread(target=self._carry_out, name="pump out", daemon=True)
        self._in = threading.Thread(target=self._carry_in, name="pump in", daemon=True)
        self._out.start()
        self._in.start()

    def _carry_in(self) -> None:
        with contextlib.suppress(OSError):
            while data := self._connection.recv(CHUNK_BYTES):
                _write(self._inner, data)
        os.close(self._inner)

    def _carry_out(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._outer, CHUNK_BYTES):
                self._connection.sendall(data)
        os.close(self._outer)

    def finish(self, seconds: float) -> None:
        """Carry out what is written already, then hang up; blocks so long at most."""
        os.close(self.writing)
        self._out.join(seconds)
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._in.join(seconds)

    def close(self) -> None:
        """Let go of the pipe that was read, once nobody reads it any longer."""
        os.close(self.reading)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _pipe() -> tuple[int, int]:
    both = os.pipe()
    if sys.platform == "win32":
        import msvcrt

        for descriptor in both:
            msvcrt.setmode(descriptor, os.O_BINARY)
    return both
