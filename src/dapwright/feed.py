"""Standard input for a program that its debugger starts: a named pipe of ours, which the debugger opens for it."""

import asyncio
import contextlib
import os
import tempfile
from pathlib import Path

from dapwright.core.errors import ProtocolError


class Feed(asyncio.BaseProtocol):
    """One run's standard input: open and empty until something is written, ended by `close_input`."""

    def __init__(self, path: str, reader: int) -> None:
        self.path = path
        self._reader = reader
        self._over = False
        self._pipe: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._pipe = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._over = True

    def write(self, data: bytes) -> None:
        """Feed it; never waits.

        Raises:
            ProtocolError: its end was told already.
        """
        if self._pipe.is_closing():
            raise ProtocolError("the program's input is closed")
        self._pipe.write(data)

    def close_input(self) -> None:
        """Send end of input, after all that was written."""
        self._pipe.close()

    def close(self) -> None:
        """Let go of the pipe, whatever was not read; once is enough."""
        if self._reader < 0:
            return
        if not self._over:  # closed but not empty: the rest is dropped
            self._pipe.abort()
        os.close(self._reader)
        self._reader = -1
        with contextlib.suppress(OSError):
            os.unlink(self.path)
            os.rmdir(Path(self.path).parent)


async def lay() -> Feed:
    """Make the pipe, in a folder that only we can enter.

    Both ends are opened here: whoever opens it then is never held up, and meets an input that is not at its end.
    """
    path = str(Path(tempfile.mkdtemp(prefix="dapwright-")) / "input")
    os.mkfifo(path, 0o600)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.fdopen(os.open(path, os.O_WRONLY | os.O_NONBLOCK), "wb", 0)
    _, feed = await asyncio.get_running_loop().connect_write_pipe(lambda: Feed(path, reader), writer)
    return feed
