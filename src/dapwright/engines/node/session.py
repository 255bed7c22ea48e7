"""One debug session: the process tree that we launched, or the one that we joined."""

import asyncio
import itertools
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from dapwright.core.errors import StaleHandle, UsageError, WrongState
from dapwright.engines.dapserver import Server
from dapwright.engines.node import binding
from dapwright.engines.node.compiled import Compiled
from dapwright.engines.node.handles import Handles
from dapwright.engines.node.ledger import Ledger
from dapwright.engines.node.names import Names
from dapwright.engines.node.options import Skipping
from dapwright.engines.node.scripts import Position, Script, path_of, pattern
from dapwright.engines.node.target import Frame, Held, Json, Target

if TYPE_CHECKING:
    from dapwright.engines.node.browser import Browser
    from dapwright.engines.node.program import Program
    from dapwright.engines.node.tracing import Tracing


class Session:
    """What is wanted, the targets, and the events that tell of them."""

    def __init__(self, server: "Server[Session]") -> None:
        self.server = server
        self.targets: dict[int, Target] = {}
        self.ledger = Ledger()
        self.names = Names()
        self.compiled = Compiled()
        self.filters: dict[str, tuple[str, ...]] = {}
        self.skipping = Skipping()
        self.folder = ""
        """Where made-up roots of source maps begin: the working directory."""
        self.entry_file = ""
        """Stop on the first statement of this file, once."""
        self.web_root = ""
        """The folder whose files a page's server serves."""
        self.compiled_folder = ""
        """The program's project, where compiled files are looked for."""
        self.entry_place = (0, 0)
        self.stop_on_entry = False
        self.main_thread = 0
        self.program: Program | Browser | None = None
        self.tracing: Tracing | None = None
        self.configured = asyncio.Event()
        self.attached = False
        self.attached_pid = 0
        self.sources: Handles[tuple[Target, Script, str]] = Handles("sourceReference")
        self._references: dict[tuple[int, str, str], int] = {}
        self._readable: dict[str, bool] = {}
        self._threads = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Let go of what was attached to; end what was launched."""
        for target in list(self.targets.values()):
            target.inspector.close()
        if self.program is not None:
            await self.program.kill()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside the requests; it ends with the session."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Threads

    def new_thread(self) -> int:
        """Return the next thread's number."""
        return next(self._threads)

    def add(self, target: Target) -> None:
        """A target is ready to run: tell its thread."""
        self.targets[target.thread] = target
        self.server.event("thread", {"reason": "started", "threadId": target.thread})

    def gone(self, target: Target) -> None:
        """A target's inspector went away: the isolate ended, or was let go."""
        if self.targets.pop(target.thread, None) is None:
            return
        if self.tracing is not None:
            self.tracing.ended(target)
        self.server.event("thread", {"reason": "exited", "threadId": target.thread})
        for worker in [t for t in self.targets.values() if t.parent is target]:
            worker.inspector.end()
        if self.attached and target.thread == self.main_thread:
            self.server.event("terminated")

    def running(self) -> list[Target]:
        """The targets that are there."""
        return list(self.targets.values())

    def thread(self, number: int) -> Target:
        """Return a thread's target.

        Raises:
            UsageError: there is no such thread (any more).
        """
        try:
            return self.targets[number]
        except KeyError:
            raise UsageError(f"there is no thread {number}", "ask for `threads`") from None

    def frame(self, number: int) -> tuple[Target, Frame]:
        """Return a frame and the target it stands in.

        Raises:
            StaleHandle: the target has moved on.
        """
        for target in self.targets.values():
            if number in target.frames:
                return target, target.frames.get(number)
        raise StaleHandle(f"frame {number} belongs to an earlier stop", "ask for the stack again")

    def held(self, number: int) -> tuple[Target, Held]:
        """Return what a variablesReference stands for.

        Raises:
            StaleHandle: the target has moved on.
        """
        for target in self.targets.values():
            if number in target.objects:
                return target, target.objects.get(number)
        raise StaleHandle(f"variablesReference {number} belongs to an earlier stop", "ask for the scopes again")

    def main(self) -> Target:
        """Return the main program's target.

        Raises:
            WrongState: nothing runs.
        """
        found = self.targets.get(self.main_thread) or next(iter(self.targets.values()), None)
        if found is None:
            raise WrongState("no program is running", "launch one, or attach")
        return found

    # Events of targets

    def note(self, text: str) -> None:
        """Tell the person something about the debugging itself."""
        self.server.event("output", {"category": "important", "output": text + "\n"})

    def resolved(self, target: Target, params: Json) -> None:
        """V8 bound a breakpoint that waited for its script."""
        cell = target.bound.get(params["breakpointId"])
        if cell is None:
            return
        binding.resolved(target, cell, params["location"])

    def reported(self, target: Target, report: Json) -> None:
        """A breakpoint's own code spoke: a log message, or a condition that failed."""
        entry = self.ledger.by_id(report.get("id", -1))
        if entry is None:
            return
        if "stops" in report:
            target.fired.add(entry.id)
            return
        if "failed" in report:
            first = not entry.message
            entry.message = f"the condition `{entry.wanted.condition}` failed: {report['failed']}"
            if first:
                self.server.event("breakpoint", {"reason": "changed", "breakpoint": entry.told()})
            return
        line = entry.bound_line if entry.bound_line is not None else entry.line
        where = {"source": {"path": entry.named}, "line": line + 1} if entry.named else {}
        logged = {"category": "console", "output": report.get("log", "") + "\n"}
        self.server.event("output", logged | where | {"data": {"breakpointId": entry.id, "threadId": target.thread}})

    # Sources

    def path_of(self, url: str) -> str:
        """Return the file of a script's address; a page's lies in `webRoot`."""
        found = path_of(url)
        if found or not self.web_root or not url.startswith(("http://", "https://")):
            return found
        return str(Path(self.web_root).resolve() / unquote(urlsplit(url).path).lstrip("/"))

    def pattern(self, path: str) -> str:
        """Return a regular expression for the addresses of a file."""
        root = str(Path(self.web_root).resolve()) + "/" if self.web_root else ""
        here = pattern(path)
        if root and path.startswith(root):  # a page may come from a server, or (Electron's) from the disk
            return f"{pattern(path.removeprefix(root), web=True)}|{here}"
        return here

    def readable(self, script: Script, path: str) -> bool:
        """Return whether a map's source can be shown: it exists, or the map carries its text."""
        if path not in self._readable:
            self._readable[path] = bool(path) and Path(path).is_file()
        return self._readable[path] or script.content(path, self.folder) is not None

    def compiled_from(self, path: str, target: Target) -> Iterator[Script]:
        """Yield the scripts, loaded or found on disk, that were made from a source file."""
        seen = set()
        loaded = [s for s in target.scripts.values() if s.map_url and not s.is_internal]
        for script in [*loaded, *self.compiled.scripts]:
            key = script.path or script.id
            if key in seen or ("/node_modules/" in script.path and "/node_modules/" not in path):
                continue
            if path in script.sources(self.folder):
                seen.add(key)
                yield script

    def source_of(self, target: Target, script: Script, at: Position) -> dict[str, Any]:
        """Return the DAP source of a place: a file's path, or a reference to text that only V8 or a map has."""
        path = at.path
        if path and path not in self._readable:
            self._readable[path] = Path(path).is_file()
        if path and self._readable[path]:
            return {"name": Path(path).name, "path": path}
        key = (target.thread, script.id, path)
        if key not in self._references:
            self._references[key] = self.sources.add((target, script, path))
        name = path or script.url or f"evaluated-{script.id}"
        if script.is_internal:
            return {"name": name, "path": name, "sourceReference": self._references[key], "origin": "Node's own code"}
        return {"name": name, "path": path or name, "sourceReference": self._references[key]}
