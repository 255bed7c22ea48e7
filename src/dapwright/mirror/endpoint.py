"""The loopback port of one session's mirror, and its end with what it shows."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from dapwright.engines.dapserver import Server
from dapwright.mirror.viewer import REQUESTS, Viewer
from dapwright.session import Session

HOST = "127.0.0.1"
MOST_VIEWERS = 8
LET_IN_SECONDS = 30.0


class Endpoint:
    """Shows one session to the IDEs that have its token.

    `judge` raises where a rule forbids an expression. It ends by `close`, and when the run that it shows is over.
    """

    def __init__(self, session: Session, *, evaluates: bool, judge: Callable[[str], Awaitable[None]]) -> None:
        self.session = session
        self.evaluates = evaluates
        self.judge = judge
        import secrets  # late: with OpenSSL, which a start does not need

        self.token = secrets.token_urlsafe(32)
        self.port = 0
        self.closed = False
        self._viewers: dict[Viewer, asyncio.Task[None] | None] = {}

    async def open(self) -> None:
        """Listen on a free port of this machine."""
        self._listener = await asyncio.start_server(self._welcome, HOST, 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    def changed(self, identity: str, *, known: bool) -> None:
        """Take a change of the sessions; `known` says whether ours is still one of them."""
        if identity != self.session.id or self.closed:
            return
        if not known or self.session.state in ("stopped", "error"):
            self.close()
            return
        for viewer in list(self._viewers):
            viewer.look()

    def close(self) -> None:
        """Hang up on everybody, and listen no more."""
        self.closed = True
        self._listener.close()
        for viewer in list(self._viewers):
            if viewer.let_in:
                viewer.server.event("terminated")
            viewer.server.end()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._viewers) >= MOST_VIEWERS or self.closed:
            writer.close()
            return
        server: Server[Viewer] = Server(REQUESTS, lambda server: Viewer(server, self), writer.write)
        viewer = server.session
        self._viewers[viewer] = asyncio.current_task()
        feeding = asyncio.create_task(_feed(server, reader))
        hurry = asyncio.get_running_loop().call_later(LET_IN_SECONDS, viewer.hurry)
        try:
            await server.serve()
            with contextlib.suppress(OSError):
                await writer.drain()
        finally:
            hurry.cancel()
            feeding.cancel()
            del self._viewers[viewer]
            writer.close()


async def _feed(server: "Server[Viewer]", reader: asyncio.StreamReader) -> None:
    data = b"?"
    while data:
        try:
            data = await reader.read(1 << 16)
        except OSError:
            data = b""
        server.feed(data)
