"""debugpy's adapter, without the 44 ms that every exchange with it costs otherwise; and no child's end is its own.

pydevd (debugpy 1.8.22) writes the header and the body of a message apart and leaves
Nagle's algorithm on; the adapter's kernel delays its acknowledgement, and so the body.
Asking for a quick acknowledgement after each read (it does not stick) makes it 1 ms.

A process that ends while it is being configured (a worker of a pool that is closed again) leaves answers
to requests of a client that has gone; the error of sending one ends the whole adapter (1.8.22).
"""

import runpy
import socket
import sys

QUICKACK = getattr(socket, "TCP_QUICKACK", None)
_makefile = socket.socket.makefile


class _Quick(socket.SocketIO):
    def readinto(self, buffer):
        read = super().readinto(buffer)
        try:
            self._sock.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)
        except OSError:
            pass
        return read


def makefile(self, mode="r", buffering=None, **more):
    """`socket.makefile`, quick where debugpy's channels ask for an unbuffered binary file."""
    if QUICKACK is None or buffering != 0 or "b" not in mode:
        return _makefile(self, mode, buffering, **more)
    if self.family not in (socket.AF_INET, socket.AF_INET6):
        return _makefile(self, mode, buffering, **more)
    try:
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)
    except OSError:
        pass
    raw = _Quick(self, "rw")
    self._io_refs += 1
    return raw


def forgive(messaging):
    """Have answers to a client that has gone be dropped, as the adapter itself does for those that succeed."""
    respond = messaging.Request.respond

    def answer(self, body):
        try:
            respond(self, body)
        except messaging.NoMoreMessages:
            pass

    messaging.Request.respond = answer


if __name__ == "__main__":
    from debugpy.common import messaging

    forgive(messaging)
    socket.socket.makefile = makefile
    sys.argv[:1] = ["debugpy.adapter"]
    runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)
