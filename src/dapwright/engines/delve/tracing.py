"""`dapwright/trace`: every call of the functions in focus, by Delve's tracepoints at entries and returns.

How deep a frame lies is Delve's offset of it from the end of its goroutine's stack, which stays
the same when the stack moves. A panic is seen where the runtime begins it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import AdapterError
from dapwright.core.protocol import typed
from dapwright.core.recording import UNKNOWN, Asked, Recorder, changes
from dapwright.engines.delve.session import REQUESTS, Body, Session
from dapwright.engines.delve.values import Json, fields, show

LOADING = {
    "FollowPointers": True,
    "MaxVariableRecurse": 1,
    "MaxStringLen": 200,
    "MaxArrayValues": 10,
    "MaxStructFields": 12,
}
ARGUMENT, RESULT = 8, 16
"""Flags of Delve's variables."""
LONGEST = 300
PANICKING, PANICS, GOEXIT = "runtime.(*_panic).start", "runtime.gopanic", "runtime.Goexit"
"""Where a panic's value can be read (Go 1.22 and later; at a defer's end too, without one), else where it begins."""


class Function(msgspec.Struct):
    """A function in focus, by its lines."""

    name: str
    file: str
    line: int
    first: int
    last: int
    starts: tuple[int, int] = (0, 0)


class Trace(Asked):
    functions: list[Function] = []


@REQUESTS.on("dapwright/trace", dict, capabilities=("supportsDapwrightTrace",))
async def trace(session: Session, arguments: Body) -> Body:
    """Tell the calls of these functions from now on; with `flush`, what is known so far at once."""
    ask = typed(arguments, Trace)
    if ask.flush:
        if session.tracing is not None:
            session.tracing.flush()
        return {}
    session.tracing = Tracing(session, ask)
    await session.tracing.plant(ask.functions)
    return {}


class Tracing:
    """The functions in focus, Delve's breakpoints in them, and what was told of their calls."""

    loading = LOADING

    def __init__(self, session: Session, ask: Trace) -> None:
        self.session = session
        self.recorder = Recorder(most=ask.most, depth=ask.depth, only=ask.only)
        self.entries: dict[int, Function] = {}
        self.returns: set[int] = set()
        self.empty: set[int] = set()
        """Entries that are returns too: nothing is in the function."""
        self.panics: dict[int, str] = {}
        self.over = False

    async def plant(self, functions: list[Function]) -> None:
        """Set the breakpoints; a function that is not in the program has no code to stop at."""
        known: set[str] = set()
        for each in functions:
            made = await self._create(file=each.file, line=each.line)
            if made is None or not each.first <= made["line"] <= each.last:
                continue
            name = str(made.get("functionName"))
            at = await self._settled(made, each.file, each.starts[0])
            self.entries[at["id"]] = each
            if name not in known:
                known.add(name)
                await self._plant_returns(name, at)
        for name in (GOEXIT, PANICKING, PANICS):
            if name == PANICS and PANICKING in self.panics.values():
                continue
            made = await self._create(functionName=name, line=-1)
            if made is not None:
                self.panics[made["id"]] = name

    async def _settled(self, entry: Json, file: str, line: int) -> Json:
        """Stop at a function's first statement instead, where it has a line of its own.

        At the very entry arguments lie in registers, where Delve 1.27 reads no interfaces.
        """
        if line <= entry["line"] or (made := await self._create(file=file, line=line)) is None:
            return entry
        wrong = made if made.get("functionName") != entry.get("functionName") else entry
        await self.session.delve.ask("ClearBreakpoint", Id=wrong["id"])
        return entry if wrong is made else made

    async def _plant_returns(self, name: str, entry: Json) -> None:
        try:
            found = (await self.session.delve.ask("FunctionReturnLocations", FnName=name)).get("Addrs") or []
        except AdapterError:
            return
        for address in found:
            if address in (entry.get("addrs") or [entry.get("addr")]):
                self.empty.add(entry["id"])
                continue
            made = await self._create(addr=address, line=-1, traceReturn=True)
            if made is not None:
                self.returns.add(made["id"])

    async def _create(self, **place: Any) -> Json | None:
        """One breakpoint; None where Delve finds nothing there, or has one there already."""
        wanted = {**place, "stacktrace": 1, "LoadArgs": LOADING, "tracepoint": True}
        try:
            made: Json = (await self.session.delve.ask("CreateBreakpoint", Breakpoint=wanted))["Breakpoint"]
        except AdapterError:
            return None
        return made

    async def look(self, state: Json) -> None:
        """Take what threads stand at; several may have come to places at once."""
        if self.over:
            return
        for thread in state.get("Threads") or []:
            point, seen = thread.get("breakPoint") or {}, thread.get("breakPointInfo") or {}
            frames = seen.get("stacktrace") or []
            if point and frames:
                self._at(thread, int(point.get("id") or 0), seen.get("arguments") or [], -int(frames[0]["FrameOffset"]))
        self.flush()
        if self.recorder.full:
            await self._stop()

    def _at(self, thread: Json, number: int, held: list[Json], depth: int) -> None:
        goroutine = int(thread.get("goroutineID") or 0)
        key = str((thread.get("breakPoint") or {}).get("functionName"))
        if number in self.entries:
            self._enter(goroutine, key, depth, self.entries[number], held)
            if number in self.empty:
                self._leave(goroutine, key, depth, held, [])
        elif number in self.returns:
            self._leave(goroutine, key, depth, held, thread.get("ReturnValues") or [])
        elif number in self.panics and self.recorder.stack(goroutine):
            self._panic(goroutine, depth, self.panics[number], held)

    def _panic(self, goroutine: int, depth: int, where: str, held: list[Json]) -> None:
        words = "runtime.Goexit"
        if where == PANICKING:
            inside = (held[0].get("children") or [{}])[0].get("children") or [] if held else []
            value = next((each for each in inside if each.get("name") == "arg"), None)
            if value is None or (text := show(value)) == "nil":
                return  # a function's deferred calls run as it returns
            words = f"panic: {text[:LONGEST]}"
        elif where == PANICS:
            words = f"panic: {UNKNOWN}"
        self.recorder.unwind(goroutine, depth)
        self.recorder.throw(goroutine, words, fatal=True)

    def _enter(self, goroutine: int, key: str, depth: int, function: Function, held: list[Json]) -> None:
        recorder = self.recorder
        recorder.unwind(goroutine, depth)
        stack = recorder.stack(goroutine)
        if stack and stack[-1].depth == depth and stack[-1].key == key and not stack[-1].thrown:
            return  # a loop begins where the function does
        call = recorder.begin(goroutine, key, depth)
        if not call.shown:
            return
        given = [each for each in held if int(each.get("flags") or 0) & ARGUMENT]
        call.arguments = {str(each["name"]): show(each)[:LONGEST] for each in given}
        receiver = given[0] if given and is_method(key) else None
        call.before = fields(receiver) if receiver is not None else None
        more = {"thread": f"goroutine {goroutine}", "receiver": str(receiver["name"]) if receiver is not None else ""}
        recorder.began(goroutine, call, function.name, function.file, function.line, more)

    def _leave(self, goroutine: int, key: str, depth: int, held: list[Json], results: list[Json]) -> None:
        call = self.recorder.find(goroutine, key, depth)
        if call is None:
            return
        values = [show(each)[:LONGEST] for each in results]
        text = values[0] if len(values) == 1 else f"({', '.join(values)})"
        after: Mapping[str, str] | None = fields(held[0]) if call.before is not None and held else None
        changed = changes(call.before, dict(after) if after is not None else None)
        self.recorder.end(goroutine, call, "return", text, changed)

    async def _stop(self) -> None:
        """There is no room for more: let the program run as if nobody looked."""
        self.over = True
        for number in (*self.entries, *self.returns, *self.panics):
            try:
                await self.session.delve.ask("ClearBreakpoint", Id=number)
            except AdapterError:
                continue

    def ended(self) -> None:
        """The program is gone."""
        for goroutine in list(self.recorder.stacks):
            self.recorder.finish(goroutine)
        self.flush()

    def flush(self) -> None:
        """Tell what was seen since the last time."""
        self.session.server.event("dapwrightCalls", self.recorder.told())


def is_method(name: str) -> bool:
    """Whether a function's full name is a method's: `main.(*Cart).Add`, `cart.Cart.Total`."""
    parts = name.rpartition("/")[2].split("[")[0].split(".")
    return ")." in name or (len(parts) == 3 and not parts[2].startswith("func"))
