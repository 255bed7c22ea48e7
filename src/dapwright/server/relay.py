"""A router's connection to a workspace: MCP lines on its control socket, ids rewritten, many calls side by side."""

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dapwright.core.errors import ProtocolError
from dapwright.server import protocol
from dapwright.server.inbox import LONGEST_LINE_BYTES
from dapwright.server.protocol import Refused
from dapwright.server.registry import Entry, connect

CALL_SECONDS = 58.0
"""Beyond the workspace's own last deadline, so that its word is told before ours."""
QUICK_SECONDS = 10.0

Note = Callable[[str, dict[str, Any]], None]
"""Hears a notification: its method and its parameters."""


class Gone(ProtocolError):
    """The workspace's server ended, or did not answer."""

    code = "workspace-gone"


class Link:
    """One connection; `hear` is told the notifications that belong to no call."""

    def __init__(self, entry: Entry, hear: Note) -> None:
        self.entry = entry
        self._hear = hear
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._progress: dict[int, tuple[Any, Note]] = {}
        self.closed = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> "Link":
        """Connect and introduce ourselves.

        Raises:
            Gone: nobody answers there.
        """
        try:
            connected = await asyncio.to_thread(connect, self.entry.control)
            connected.setblocking(False)
            reader, self._writer = await _streams(connected)
        except OSError as cannot:
            raise self._gone() from cannot
        if self.entry.key:
            self._writer.write(self.entry.key.encode() + b"\n")
        self._reading = asyncio.create_task(self._read(reader))
        hello = {"protocolVersion": protocol.HANDSHAKE[-1], "capabilities": {}, "clientInfo": {"name": "router"}}
        await self.ask("initialize", hello, seconds=QUICK_SECONDS)
        self._send(protocol.notification("notifications/initialized"))
        return self

    async def ask(
        self, method: str, params: Mapping[str, Any], *, hear: Note | None = None, seconds: float = CALL_SECONDS
    ) -> dict[str, Any]:
        """Relay a request and return its result; `hear` is told its progress, under the token that it came with.

        Cancelled, it cancels the call.

        Raises:
            Refused: the workspace answered with an error.
            Gone: it ended meanwhile, or did not answer.
        """
        if self.closed.is_set():
            raise self._gone()
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        params = self._with_token(number, params, hear)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            return _result(await asyncio.wait_for(answer, seconds))
        except TimeoutError:
            self._cancel(number)
            raise Gone(f"the server of `{self.entry.folder}` does not answer", "call again") from None
        except asyncio.CancelledError:
            self._cancel(number)
            raise
        finally:
            self._waiting.pop(number, None)
            self._progress.pop(number, None)

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a request at once, and let its answer fall."""
        self._send({"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params})

    def _with_token(self, number: int, params: Mapping[str, Any], hear: Note | None) -> dict[str, Any]:
        meta = params.get("_meta")
        if hear is None or not isinstance(meta, Mapping) or "progressToken" not in meta:
            return dict(params)
        self._progress[number] = (meta["progressToken"], hear)
        return {**params, "_meta": {**meta, "progressToken": number}}

    def _cancel(self, number: int) -> None:
        self._send(protocol.notification("notifications/cancelled", {"requestId": number}))

    def _send(self, message: Mapping[str, Any]) -> None:
        if not self.closed.is_set():
            self._writer.write(protocol.encode(message))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                self._take(_decode(line))
        except (OSError, ValueError):
            pass  # broken, or a line beyond all measure: the same as its end
        finally:
            self._end()

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        method, params = message.get("method"), message.get("params") or {}
        if method == "notifications/progress":
            if (held := self._progress.get(params.get("progressToken", 0))) is not None:
                token, hear = held
                hear(method, {**params, "progressToken": token})
        elif isinstance(method, str):
            self._hear(method, params)
        elif (answer := self._waiting.get(message.get("id", 0))) is not None and not answer.done():
            answer.set_result(message)

    def _end(self) -> None:
        self.closed.set()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._gone())
        with contextlib.suppress(OSError):
            self._writer.close()

    def _gone(self) -> Gone:
        return Gone(
            f"the server of the workspace `{self.entry.folder}` has ended, and its sessions with it",
            "call again: if another server has that folder open, it takes the call",
        )

    async def close(self) -> None:
        """Hang up."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading], timeout=1)


async def _streams(connected: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if connected.family == getattr(socket, "AF_UNIX", None):
        return await asyncio.open_unix_connection(sock=connected, limit=LONGEST_LINE_BYTES)
    return await asyncio.open_connection(sock=connected, limit=LONGEST_LINE_BYTES)


def _decode(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.MsgspecError:
        return json.loads(line)


def _result(message: Mapping[str, Any]) -> dict[str, Any]:
    error = message.get("error")
    if isinstance(error, Mapping):
        raise Refused(error.get("code", protocol.INTERNAL), str(error.get("message")), error.get("data"))
    result = message.get("result")
    return result if isinstance(result, dict) else {}
