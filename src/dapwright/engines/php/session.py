"""What the PHP engine knows: its listening port, the requests that came, the breakpoints wanted."""

import asyncio
import urllib.parse
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.dapserver import Requests, Server
from dapwright.engines.php.dbgp import NAMES, Connection, text_of

FEATURES = {
    "max_depth": "2",
    "max_children": "100",
    "max_data": "8192",
    "extended_properties": "1",
    "notify_ok": "1",
    "resolved_breakpoints": "1",
    "breakpoint_include_return_value": "0",
    "show_hidden": "1",
}
PAGE = int(FEATURES["max_children"])


@dataclass(slots=True, eq=False)
class Thread:
    """One PHP request: a script run, or what a web server was asked."""

    id: int
    connection: Connection
    name: str
    running: bool = True
    planted: dict[int, str] = field(default_factory=dict[int, str])
    """Our breakpoint ids and Xdebug's."""
    catches: list[str] = field(default_factory=list[str])
    stop: int = 0
    """Counts its stops: frames of an earlier one are stale."""
    exception: tuple[str, str] | None = None
    """Class and message of what it stands at."""
    ready: bool = False


@dataclass(slots=True, eq=False)
class Breakpoint:
    """A breakpoint that the client wants."""

    id: int
    file: str = ""
    line: int = 0
    function: str = ""
    condition: str = ""
    hits: tuple[str, int] | None = None
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """What a reference of ours stands for, at one stop of one thread."""

    thread: Thread
    stop: int
    level: int
    context: int = 0
    name: str = ""
    """Full name of a property, "" for a whole scope."""
    kept: tuple[ET.Element, ...] | None = None
    """Children that came already, of a value that has no name."""


class Session:
    """One client's debugging."""

    def __init__(self, server: "Server[Session]") -> None:
        self.server = server
        self.listener: asyncio.Server | None = None
        self.once = False
        """One program, whose end is the end; else requests come and go."""
        self.threads: dict[int, Thread] = {}
        self.breakpoints: dict[int, Breakpoint] = {}
        self.filters: tuple[str, ...] = ()
        self.classes: tuple[str, ...] = ()
        self.configured = False
        self.entry = False
        self.mappings: list[tuple[str, str]] = []
        self.held: dict[int, Held] = {}
        self.arrived = asyncio.Event()
        self.process: asyncio.subprocess.Process | None = None
        self.tasks: set[asyncio.Task[None]] = set()
        self._numbers = count(1)
        self.greet: Any = None
        """Makes a thread of a new connection ready (running.py)."""

    async def listen(self, host: str, port: int) -> int:
        """Listen for Xdebug; the port.

        Raises:
            UsageError: it is taken.
        """
        make = lambda: Connection(self._began, self._told, self._ended)  # noqa: E731
        try:
            self.listener = await asyncio.get_running_loop().create_server(make, host, port)
        except OSError as taken:
            raise UsageError(
                f"cannot listen on `{host}:{port}`: {taken.strerror or taken}",
                "pass another `port`, and tell Xdebug of it (xdebug.client_port)",
            ) from None
        found: int = self.listener.sockets[0].getsockname()[1]
        return found

    def number(self) -> int:
        """A number not used before: threads, breakpoints, frames and variables share them."""
        return next(self._numbers)

    def hold(self, what: Held) -> int:
        """A reference for the client."""
        number = self.number()
        self.held[number] = what
        return number

    def held_at(self, number: int) -> Held:
        """What a reference stands for.

        Raises:
            UsageError: it is of an earlier stop.
        """
        found = self.held.get(number)
        if found is None or found.stop != found.thread.stop or found.thread.running:
            raise UsageError("this frame or value is of an earlier stop", "ask for the stack again")
        return found

    def thread(self, number: int) -> Thread:
        """The thread of that id.

        Raises:
            UsageError: it has ended.
        """
        if number not in self.threads:
            raise UsageError(f"there is no PHP request {number}", "it has ended; ask for the threads")
        return self.threads[number]

    def start(self, work: Any) -> None:
        """Do something beside the requests; its failure is told and stops there."""
        task = asyncio.create_task(self._guarded(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _guarded(self, work: Any) -> None:
        try:
            await work
        except DapwrightError as failure:
            if self.threads:
                self.server.event("output", {"category": "console", "output": f"Xdebug: {failure}\n"})

    def _began(self, connection: Connection, init: ET.Element) -> None:
        file = self.local(init.get("fileuri", ""))
        process = init.get("appid", "")
        thread = Thread(self.number(), connection, f"{file.rsplit('/', 1)[-1]} (process {process})")
        self.threads[thread.id] = thread
        self.server.event("thread", {"reason": "started", "threadId": thread.id})
        if self.once and process.isdigit():
            self.server.event("process", {"name": file, "systemProcessId": int(process), "startMethod": "launch"})
        self.arrived.set()
        if self.configured:
            self.start(self.greet(self, thread))

    def _told(self, connection: Connection, packet: ET.Element) -> None:
        if packet.tag.endswith("stream"):
            packet.set("encoding", "base64")
            self.server.event("output", {"category": packet.get("type", "stdout"), "output": text_of(packet)})
        elif packet.get("name") == "breakpoint_resolved":
            thread = next((t for t in self.threads.values() if t.connection is connection), None)
            told = packet.find("d:breakpoint", NAMES)
            if thread is not None and told is not None:
                for ours, theirs in thread.planted.items():
                    if theirs == told.get("id"):
                        self.resolve(ours, int(told.get("lineno", "0")))

    def resolve(self, number: int, line: int) -> None:
        """Tell the client that a breakpoint is bound, once."""
        wanted = self.breakpoints.get(number)
        if wanted is not None and not wanted.resolved:
            wanted.resolved = True
            told = {"id": number, "verified": True, **({"line": line} if line and wanted.line else {})}
            self.server.event("breakpoint", {"reason": "changed", "breakpoint": told})

    def _ended(self, connection: Connection) -> None:
        gone = [thread for thread in self.threads.values() if thread.connection is connection]
        for thread in gone:
            del self.threads[thread.id]
            self.server.event("thread", {"reason": "exited", "threadId": thread.id})
        if gone and self.once and not self.threads and self.process is None:
            self.server.event("terminated")

    def local(self, uri: str) -> str:
        """A file of Xdebug's as the client knows it."""
        path = urllib.parse.unquote(uri.removeprefix("file://"))
        for local, remote in self.mappings:
            if path == remote or path.startswith(remote.rstrip("/") + "/"):
                return local.rstrip("/") + path[len(remote.rstrip("/")) :]
        return path

    def remote(self, path: str) -> str:
        """A file of the client's as Xdebug knows it."""
        for local, remote in self.mappings:
            if path == local or path.startswith(local.rstrip("/") + "/"):
                path = remote.rstrip("/") + path[len(local.rstrip("/")) :]
                break
        return "file://" + urllib.parse.quote(path)

    async def close(self) -> None:
        """End what was launched; a request that only came to us runs on by itself."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for thread in list(self.threads.values()):
            thread.connection.close()
        if self.listener is not None:
            self.listener.close()
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


REQUESTS: Requests[Session] = Requests()
Arguments = Mapping[str, Any]
