"""What code of ours inside the program tells: rows, log lines, counts, a test runner's reports.

It comes over a loopback connection of our own, opened with a secret, so that nothing which
the program prints can be taken for it; from where that cannot reach us, over the debugger's.
"""

import asyncio
import contextlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dapwright.core import redact
from dapwright.core.errors import DapwrightError
from dapwright.core.ledger import Record
from dapwright.core.model import Raw
from dapwright.core.probes import text_of
from dapwright.session import notices
from dapwright.session.connection import Connection
from dapwright.session.session import Session
from dapwright.session.values import ask_value

MOST_LINE = 4 * 1024 * 1024
INJECT_SECONDS = 5.0


class Endpoint:
    """The listener of one session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.nonce = secrets.token_hex(16)
        self.port = 0
        self.lines: set[_Line] = set()
        self._server: asyncio.Server | None = None

    async def listen(self) -> "Endpoint":
        """Open the port; on the loopback interface alone."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Line(self), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def drain(self) -> None:
        """Take what was told before now: a stop must not overtake it."""
        for line in list(self.lines):
            line.drain()

    def told_by_engine(self, data: Any) -> None:
        """Take a message that came over the debugger's connection."""
        if isinstance(data, dict) and hmac.compare_digest(str(data.get("nonce")), self.nonce):
            take(self.session, int(data.get("pid") or 0), data.get("message") or {})

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
        for line in list(self.lines):
            line.close()


class _Line(asyncio.Protocol):
    """The connection of one process of the program."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._buffer = b""
        self._pid: int | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._endpoint.lines.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._endpoint.lines.discard(self)

    def data_received(self, data: bytes) -> None:
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > MOST_LINE:
            self.close()
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                self.close()
                return
            self._take(message)

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            self.close()
        elif self._pid is None:
            if hmac.compare_digest(str(message.get("nonce")), self._endpoint.nonce):
                self._pid = int(message.get("pid") or 0)
                self._transport.write(b"ok\n")
            else:
                self.close()
        else:
            take(self._endpoint.session, self._pid, message)

    def drain(self) -> None:
        """Read what lies in the socket now."""
        source = self._transport.get_extra_info("socket")
        if source is None or os.name != "posix" or self._transport.is_closing():
            return
        with contextlib.suppress(BlockingIOError, OSError, ValueError):
            while data := os.read(source.fileno(), 65536):
                self.data_received(data)

    def close(self) -> None:
        """Hang up."""
        self._transport.close()


async def open_endpoint(session: Session) -> Endpoint:
    """The session's listener, opened when it is first wanted."""
    if session.endpoint is None:
        session.endpoint = await Endpoint(session).listen()
    endpoint: Endpoint = session.endpoint
    return endpoint


async def prepare(session: Session, connection: Connection) -> None:
    """Make ready to have breakpoints judged inside a process; where that cannot be, its engine judges alone."""
    if session.adapter.inside is None or connection.instrumented:
        return
    await open_endpoint(session)
    if session.attachment is not None:
        try:
            await ask_value(connection, None, session.adapter.inside.injection(session.host), seconds=INJECT_SECONDS)
        except DapwrightError as failure:
            session.notes.append(f"breakpoints are judged by the engine alone here: {failure}")
            return
    connection.instrumented = True


def instrument(session: Session) -> Callable[[Sequence[Record]], str] | None:
    """Make conditions that have the breakpoints of a line judged inside the program."""
    inside, endpoint = session.adapter.inside, session.endpoint
    if inside is None or endpoint is None:
        return None
    make = inside.condition
    return lambda records: make(text_of(records, endpoint.port, endpoint.nonce), session.host)


def take(session: Session, pid: int, message: Mapping[str, Any]) -> None:
    """Take one message in. One that names nothing of ours changes nothing."""
    kind = message.get("k")
    if kind == "test":
        session.findings.tests.append({key: value for key, value in message.items() if key != "k"})
        session.pulse()
        return
    if kind == "report":
        session.findings.reports.append(dict(message))
        session.pulse()
        return
    if kind == "calls":
        session.findings.calls += message.get("events") or []
        session.findings.calls_seen = int(message.get("calls") or session.findings.calls_seen)
        session.findings.calls_dropped = int(message.get("dropped") or session.findings.calls_dropped)
        return
    if kind == "stop":
        session.findings.stopping.append((pid, tuple(message.get("ids") or ())))
        return
    record = session.ledger.get(str(message.get("id")))
    if record is None:
        return
    match kind:
        case "row":
            add_row(session, record, pid, message)
        case "log":
            record.counted[pid] = int(message.get("logged") or 0)
            record.hits = sum(record.counted.values())
            session.printed("log", f"{message.get('text', '')}\n")
        case "stats":
            _counts(record, pid, message)
        case "failed" if message.get("about") == "condition":
            notices.failed(session, record, str(message.get("error")))


def add_row(session: Session, record: Record, pid: int, message: Mapping[str, Any]) -> None:
    """Keep what a probe saw: values redacted by their names."""
    probe = record.probe
    if probe is None:
        return
    values = {str(name): str(redact.value(str(name), Raw(str(text)))) for name, text in message["values"].items()}
    file = record.file or str(message.get("file") or "")  # a function's probe knows its file at a hit alone
    row = {"probe": probe.name, "hit": message["hit"], "file": file, "line": message["line"]}
    row |= {"function": message["function"], "process": pid, "thread": message.get("thread"), "values": values}
    session.findings.add(row)
    before = probe.counts.get(pid, (0, 0, 0))
    now = (int(message.get("reached", 0)), int(message["hit"]), int(message.get("false", 0)))
    probe.counts[pid] = (max(before[0], now[0]), max(before[1], now[1]), max(before[2], now[2]))
    record.hits = sum(count[1] for count in probe.counts.values())


def _counts(record: Record, pid: int, message: Mapping[str, Any]) -> None:
    counted = (int(message["reached"]), int(message["hits"]), int(message["false"]))
    record.reached = counted[0]
    if record.probe is None:
        return
    record.probe.counts[pid] = counted
    samples = list(message.get("samples") or [])
    if len(samples) > len(record.probe.samples):
        record.probe.samples = samples
    record.hits = sum(count[1] for count in record.probe.counts.values())
