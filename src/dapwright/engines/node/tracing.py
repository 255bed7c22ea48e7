"""`dapwright/trace`: every call of the functions in focus, with its arguments and what it returned.

A function's first place is a breakpoint like any other (binding.py maps it through source maps, to
workers and children); where it returns, V8 knows when it is first entered. V8 tells a return value
of the top frame there. What throws passes no such place: a pause on the exception says what it was,
and the depth of the stack at the next event who is gone. At each pause one expression of ours reads
what is shown, and the program goes on without waiting for its answer.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import DapwrightError
from dapwright.core.recording import Activation, Asked, Recorder, changes
from dapwright.engines.node import binding, exceptions
from dapwright.engines.node.breakpoints import bind_all
from dapwright.engines.node.conditions import Wanted
from dapwright.engines.node.ledger import Entry
from dapwright.engines.node.reading import LONGEST, answered, read, shown
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Json, Target

HEADING = "\0trace"
"""Where our entries stand in the ledger: no file is named so."""
FLUSH_SECONDS = 0.1


class Function(msgspec.Struct):
    """A function in focus: lines 1-based, columns 0-based."""

    name: str
    file: str
    line: int
    starts: tuple[int, int]
    closes: tuple[int, int]
    opens: tuple[int, int]
    parameters: list[str] = []
    suspends: bool = False
    loops: bool = False


class Trace(Asked):
    functions: list[Function] = []


@REQUESTS.on("dapwright/trace", Trace, capabilities=("supportsDapwrightTrace",))
async def trace(session: Session, ask: Trace) -> Mapping[str, Any]:
    """Tell the calls of these functions from now on; with `flush`, what is known so far at once."""
    if ask.flush:
        if session.tracing is not None:
            session.tracing.flush()
        return {}
    session.tracing = Tracing(session, ask)
    session.filters = {"all": ()}
    await bind_all(session)
    for target in session.running():
        await exceptions.apply(target)
    return {}


class Tracing:
    """The functions, V8's breakpoints on their returns, and what was told of their calls."""

    def __init__(self, session: Session, ask: Trace) -> None:
        self.session = session
        self.recorder = Recorder(most=ask.most, depth=ask.depth, only=ask.only)
        self.functions: dict[int, Function] = {}
        self.returns: dict[tuple[int, str], Function] = {}
        """By thread and V8's id for a breakpoint."""
        self.known: set[tuple[int, str, int, int]] = set()
        """Functions (by thread, script and place) whose returns are watched."""
        self.over = False
        self._later: asyncio.TimerHandle | None = None
        entries = []
        for number, each in enumerate(ask.functions, 1):
            (line, column), label = each.starts, -number
            entries.append(Entry(label, each.file, each.file, line - 1, column, Wanted(label)))
            self.functions[label] = each
        session.ledger.files[HEADING] = entries

    async def took(self, target: Target, params: Json) -> bool:
        """Take a pause that is ours, and go on from it; tell whether it was."""
        if not params["callFrames"] or self.over:
            return False
        if params["reason"] in ("exception", "promiseRejection"):
            self._thrown(target, params)
            return True
        hit = params.get("hitBreakpoints") or []
        cells = [target.bound[b] for b in hit if b in target.bound]
        entered = [self.functions[e.id] for c in cells for e in c.members if e.id in self.functions]
        returned = [self.returns[target.thread, b] for b in hit if (target.thread, b) in self.returns]
        if not entered and not returned:
            return False
        function = next((f for f in entered if self._within(target, params, f)), None)
        work: list[Any] = []
        if function is not None:
            work += self._enter(target, params, function)
            if not self.recorder.early or function.loops:  # a loop is told from a call by the return between
                await self._watch(target, params["callFrames"][0], function)
        if returned or "returnValue" in params["callFrames"][0]:  # nothing is in it: it begins where it returns
            work += self._leave(target, params, returned[0] if returned else entered[0])
        target.inspector.start("Debugger.resume")
        for each in work:
            try:
                await each
            except DapwrightError:
                continue
        if self.recorder.full:
            await self._stop()
        return True

    def _within(self, target: Target, params: Json, function: Function) -> bool:
        """V8 binds a place without code to the next one, which may be another function's."""
        position = target.position(*target.place(params["callFrames"][0]["location"]))
        return position is not None and function.opens <= (position.line + 1, position.column) <= function.closes

    def _enter(self, target: Target, params: Json, function: Function) -> list[Any]:
        """A function is at its first place: it begins, or its loop comes round."""
        frames, thread = params["callFrames"], target.thread
        identity, depth = _identity(frames[0].get("functionLocation") or frames[0]["location"]), len(frames)
        caller = _identity(frames[1]["location"]) if depth > 1 else None
        self.recorder.unwind(thread, depth)
        stack = self.recorder.stack(thread)
        last = stack[-1] if function.loops and stack and not stack[-1].thrown else None
        if last is not None and (last.depth, last.key, last.caller) == (depth, identity, caller):
            return []
        call = self.recorder.begin(thread, identity, depth, suspends=function.suspends, caller=caller)
        return [self._begun(target, frames[0]["callFrameId"], function, call)] if call.shown else []

    async def _watch(self, target: Target, frame: Json, function: Function) -> None:
        """Stop where a function returns, from the first time on that it is entered."""
        key = (target.thread, *_identity(frame.get("functionLocation") or frame["location"]))
        if key in self.known:
            return
        self.known.add(key)
        ask, start = target.inspector.ask, frame["location"]
        found = await ask("Debugger.getPossibleBreakpoints", start=start, restrictToFunction=True)
        for place in found["locations"]:
            if place.get("type") == "return":
                where = {name: place[name] for name in ("scriptId", "lineNumber", "columnNumber") if name in place}
                answer = await ask("Debugger.setBreakpoint", location=where)
                self.returns[target.thread, answer["breakpointId"]] = function

    def _begun(self, target: Target, frame: str, function: Function, call: Activation) -> Any:
        asked = read(target, frame, function.parameters)

        async def told() -> None:
            known = await answered(asked) or {}
            call.arguments, call.before = known.get("arguments") or {}, known.get("receiver")
            more = {"receiver": "this", "thread": target.name}
            self.recorder.began(target.thread, call, function.name, function.file, function.line, more)
            self._soon()

        return told()

    def _leave(self, target: Target, params: Json, function: Function) -> list[Any]:
        """A function stands at a return, its value known."""
        frames, thread = params["callFrames"], target.thread
        key = _identity(frames[0].get("functionLocation") or frames[0]["location"])
        returned = frames[0].get("returnValue")
        call = self.recorder.find(thread, key, len(frames))
        if call is None and self.recorder.asleep.get(thread):
            arguments = read(target, frames[0]["callFrameId"], function.parameters)
            return [self._woken(target, arguments, shown(target, returned), (key, len(frames)))]
        if call is None:
            return []
        if not call.shown:
            self.recorder.end(thread, call, "return", "", {})
            return []
        return [self._ended(target, frames[0]["callFrameId"], call, returned)]

    async def _woken(self, target: Target, asked: "asyncio.Future[Json]", text: Any, place: tuple[Any, int]) -> None:
        """One of several suspended calls of a function returns: its arguments tell which."""
        value = await text
        call = self.recorder.find(target.thread, *place, (await answered(asked) or {}).get("arguments") or {})
        if call is not None:
            self.recorder.end(target.thread, call, "return", value, {})
            self._soon()

    def _ended(self, target: Target, frame: str, call: Activation, returned: Json | None) -> Any:
        text = shown(target, returned)
        receiver = read(target, frame, []) if call.before is not None else None

        async def told() -> None:
            value = await text
            after = (await answered(receiver) or {}).get("receiver") if receiver is not None else None
            self.recorder.end(target.thread, call, "return", value, changes(call.before, after))
            self._soon()

        return told()

    def _thrown(self, target: Target, params: Json) -> None:
        thread, thrown = target.thread, params.get("data") or {}
        self.recorder.unwind(thread, len(params["callFrames"]))
        if self.recorder.stack(thread):
            self.recorder.throw(thread, exceptions.headline(thrown)[:LONGEST], fatal=bool(thrown.get("uncaught")))
        target.inspector.start("Debugger.resume")

    async def _stop(self) -> None:
        """There is no room for more: let the program run as if nobody looked."""
        self.over = True
        self.session.ledger.files.pop(HEADING, None)
        self.session.filters = {}
        for target in self.session.running():
            for thread, breakpoint in self.returns:
                if thread == target.thread:
                    target.inspector.start("Debugger.removeBreakpoint", breakpointId=breakpoint)
            await binding.bind(target)
            await exceptions.apply(target)
        self.flush()

    def ended(self, target: Target) -> None:
        """A thread is gone."""
        self.recorder.finish(target.thread)
        self.flush()

    def _soon(self) -> None:
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)

    def flush(self) -> None:
        """Tell what was seen since the last time."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self.session.server.event("dapwrightCalls", self.recorder.told())


def _identity(location: Json) -> tuple[str, int, int]:
    return location["scriptId"], location["lineNumber"], location.get("columnNumber", 0)
