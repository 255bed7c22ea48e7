"""One isolate that we debug: the main program, a worker thread, a child process. A DAP thread.

Its events are taken in order (`take`); what needs a conversation with V8 goes on in one task at a
time (`_work`), while the isolate stands still.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from dapwright.core.errors import DapwrightError, WrongState
from dapwright.engines.node.conditions import BINDING
from dapwright.engines.node.handles import Handles
from dapwright.engines.node.inspector import Inspector
from dapwright.engines.node.scripts import Position, Script

if TYPE_CHECKING:
    from dapwright.engines.node.outline import Outline
    from dapwright.engines.node.session import Session

Json = dict[str, Any]


class Frame(msgspec.Struct):
    """A frame of a stop: V8's own, or one that an awaited caller left behind (`call` None)."""

    call: Json | None
    name: str
    script: Script | None
    line: int
    column: int
    at: Position | None
    skipped: bool
    label: bool = False

    @property
    def call_id(self) -> str:
        """V8's id for the frame, "" where it is gone."""
        return self.call["callFrameId"] if self.call else ""


class Held(msgspec.Struct):
    """Something with children: an object, and how it is written in the program."""

    object_id: str
    expression: str = ""
    kind: str = "object"
    """`object`, `array`, `map`, `set`, `proxy`, `getter`, `scope`."""
    count: int = 0
    frame: "int | None" = None
    parts: list[tuple[int, str]] = []
    """A merged scope: (number in the scope chain, object id), innermost first."""
    extra: list[tuple[str, Json]] = []
    hidden: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()


class Stop(msgspec.Struct):
    """Where and why the isolate stands."""

    reason: str
    call_frames: list[Json]
    async_trace: Json | None
    data: Json
    hit_ids: list[int] = []
    description: str = ""
    text: str = ""
    frames: "list[tuple[int, Frame]] | None" = None
    break_mode: str = "unhandled"


class Step(msgspec.Struct):
    """A step on its way: what was asked, and where it began."""

    command: str
    """`stepOver`, `stepInto`, `stepOut`, `enter`, `pause`, `entry`, `restart`."""
    where: tuple[str, int] | None = None
    depth: int = 0
    tries: int = 0
    deeper: bool = False
    """A step out has met a return of a call of the same function further in."""
    call: tuple[int, int] | None = None
    """The call to enter (generated line and column), of a step into a chosen one."""


class Target:
    """An isolate: its scripts, its stop, and the breakpoints set in it."""

    def __init__(self, session: "Session", inspector: Inspector, thread: int, name: str, *, process: int = 0) -> None:
        self.session, self.inspector, self.thread, self.name, self.process = session, inspector, thread, name, process
        self.scripts: dict[str, Script] = {}
        self.stop: Stop | None = None
        self.step: Step | None = None
        self.frames: Handles[Frame] = Handles("frame")
        self.objects: Handles[Held] = Handles("variablesReference")
        self.cells: dict[tuple[str, int, int], Any] = {}
        self.bound: dict[str, Any] = {}
        """V8's breakpoint ids, and the cell of each."""
        self.exact: dict[tuple[str, str, int, int | None], list[tuple[int, int]]] = {}
        """V8's own places for (script, file, line, column), where they were asked for (exact.py)."""
        self.rehearsed: dict[str, tuple[str, int]] = {}
        """Scripts not loaded yet that were compiled to be asked: V8's id, and the shift of the first line."""
        self.parent: Target | None = None
        self.changed = False
        """Something was evaluated at this stop: V8's copies of the local variables may be out of date."""
        self.calls: dict[int, Json] = {}
        """The calls that `stepInTargets` told."""
        self.context = 1
        """V8's execution context of the program itself: Node's is the first."""
        self.is_page = False
        """A page's contexts come and go with what it shows; a program's end with it."""
        self.workers: dict[str, Inspector] = {}
        self.outlines: dict[str, Outline] = {}
        """What the text of a script (by V8's id) guards with `try`."""
        self.calls_bound: list[Any] = []
        """Cells set on function objects."""
        self.exits: set[str] = set()
        """V8's breakpoints at the returns of a function that a step leaves (leaving.py)."""
        self.returned: Json | None = None
        self.top_call = ""
        self.fired: set[int] = set()
        """The breakpoints of a shared place that said that they stop: V8's own word comes right after."""
        self.depth = 0
        self.top_skipped = self.caller_skipped = self.user_below = False
        self.blackboxed = self.watching_maps = self.loading_modules = False
        self.ended = asyncio.Event()
        self.on_pause: Callable[[Json], Coroutine[Any, Any, None]] | None = None
        self.parsed: Callable[[Script], None] = lambda script: None
        self.printed: Callable[[Json], None] = lambda params: None
        self.on_worker: Callable[[str, Json], None] = lambda method, params: None
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        inspector.listen = self.take
        inspector.ended = self._end

    def standing(self) -> Stop:
        """Return the stop.

        Raises:
            WrongState: the isolate runs.
        """
        if self.stop is None:
            raise WrongState(f"`{self.name}` is running", "pause it first, or wait for a stop")
        return self.stop

    def go(self, method: str, **params: Any) -> None:
        """Set the isolate in motion; whatever belonged to its stop is forgotten."""
        self.forget()
        self.inspector.start(method, **params)

    def forget(self) -> None:
        """The isolate moves: what belonged to its stop is no more."""
        self.stop = None
        self.changed = False
        self.frames.clear()
        self.objects.clear()

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Run some work for this target after what is under way; its failure is told, and ends nothing."""
        task = asyncio.create_task(self._work(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        async with self._lock:
            try:
                await work
            except DapwrightError as failed:
                if not self.inspector.closed:
                    self.session.note(f"{self.name}: {failed}")

    def take(self, method: str, params: Json) -> None:
        """Take an event of V8's."""
        match method:
            case "Debugger.scriptParsed":
                self._parsed(params)
            case "Debugger.paused":
                if self.on_pause:
                    self.do(self.on_pause(params))
            case "Debugger.resumed":
                self._resumed()
            case "Debugger.breakpointResolved":
                self.session.resolved(self, params)
            case "Runtime.bindingCalled":
                if params.get("name") == BINDING:
                    self.session.reported(self, json.loads(params["payload"]))
            case "NodeRuntime.waitingForDisconnect" | "Runtime.executionContextDestroyed":
                self._leaving(method, params)
            case "Runtime.consoleAPICalled":
                self.printed(params)
            case _ if method.startswith("NodeWorker."):
                self.on_worker(method, params)

    def _parsed(self, params: Json) -> None:
        url = params.get("url") or ""
        script = Script(
            id=params["scriptId"],
            url=url,
            path=self.session.path_of(url),
            map_url=params.get("sourceMapURL") or "",
            is_module=bool(params.get("isModule")),
            end_line=params.get("endLine", 0),
            context=params.get("executionContextId", 0),
        )
        self.scripts[script.id] = script
        self.parsed(script)

    def _resumed(self) -> None:
        """V8 moves: by our command, or by another client of the same inspector's."""
        if self.stop is None:
            return
        self.forget()
        self.session.server.event("continued", {"threadId": self.thread, "allThreadsContinued": False})

    def _leaving(self, method: str, params: Json) -> None:
        """Node waits for us at its end, so that nothing we want is lost: let it go."""
        if method == "NodeRuntime.waitingForDisconnect" or (params.get("executionContextId") == 1 and not self.is_page):
            self.inspector.close()

    def _end(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            self.stop = None
            self.session.gone(self)

    def forget_cells(self, script: str) -> None:
        """A script was replaced: V8 dropped what was set in it, so `bind` must set it again."""
        for key, cell in list(self.cells.items()):
            if any(at[0] == script for at in cell.at):
                self.inspector.start("Debugger.removeBreakpoint", breakpointId=cell.v8)
                self.bound.pop(cell.v8, None)
                del self.cells[key]

    def place(self, location: Json) -> tuple[Script | None, int, int]:
        """Read a location of V8's."""
        return self.scripts.get(location["scriptId"]), location["lineNumber"], location.get("columnNumber", 0)

    def position(self, script: Script | None, line: int, column: int) -> Position | None:
        """Return a generated place as a person sees it; None where its script maps it to nothing."""
        if script is None:
            return Position("", line, column)
        if script.map_url and (script.map() is not None):
            found = script.original(line, column, self.session.folder)
            if found is None or self.session.readable(script, found.path):
                return found
        return Position(script.path, line, column)
