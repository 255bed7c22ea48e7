"""`dapwright/trace`: every call of the methods in focus, with its arguments and what it returned.

A method's first instruction is a breakpoint; returns and their values are the JVM's own events, of
the classes alone that hold such methods; an exception's event says where it is caught, so that it
is known who ends by it. A thread stands alone while it is looked at, and nothing is called in it.
"""

import asyncio
import sys
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import msgspec

from dapwright.core.errors import DapwrightError
from dapwright.core.protocol import typed
from dapwright.core.recording import Activation, Asked, Recorder, changes
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.events import Event, Happening
from dapwright.engines.jvm.machine import LoadedType, Machine
from dapwright.engines.jvm.packets import Location, Value
from dapwright.engines.jvm.places import Address, matches, means, read_address
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.signatures import name_of
from dapwright.engines.jvm.threads import JavaFrame
from dapwright.engines.jvm.types import Method

FLUSH_SECONDS = 0.1
LONGEST = 200
FRAME_COUNT = (11, 7)
CONSTRUCTORS = frozenset({"constructor", "init"})
GENERATED = 0x1000 | 0x40
"""Flags of methods that no source has: synthetic, bridge."""
ATTRIBUTES = 12

Key = tuple[int, int]
"""A method, by its class's id and its own."""


class Function(msgspec.Struct):
    """A function in focus, by its lines."""

    name: str
    file: str
    line: int
    first: int
    last: int

    def means(self, method: Method, line: int) -> bool:
        """Whether a method of its file, whose code begins at a line, is this function."""
        bare, owner = self.name.rpartition(".")[2], self.name.rpartition(".")[0].rpartition(".")[2]
        constructs = method.name == "<init>" and (bare in CONSTRUCTORS or bare == owner)
        return self.first <= line <= self.last and (method.name == bare or constructs)


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
    session.tracing = tracing = Tracing(session, ask)
    tracing.start()
    for pattern in tracing.patterns:
        await session.plant.wait_for(pattern, tracing.prepared)
    if session.jvm is not None:
        for loaded in await session.jvm.machine.all_classes():
            if any(matches(pattern, name_of(loaded.signature)) for pattern in tracing.patterns):
                await tracing.prepared(loaded)
    return {}


class Tracing:
    """The methods in focus, the requests for their events, and what was told of their calls."""

    def __init__(self, session: Session, ask: Trace) -> None:
        self.session = session
        self.recorder = Recorder(most=ask.most, depth=ask.depth, only=ask.only)
        self.files: dict[str, list[Function]] = {}
        for each in ask.functions:
            self.files.setdefault(each.file, []).append(each)
        self.addresses: list[Address] = [read_address(path) for path in self.files]
        self.methods: dict[Key, Function] = {}
        self.requests: dict[int, Kind] = {}
        self.names: dict[int, str] = {}
        self.over = False
        self._queue: asyncio.Queue[Happening] = asyncio.Queue()
        self._later: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Take events from now on."""
        self.session.keep(self._run())

    @property
    def machine(self) -> Machine:
        return self.session.live.machine

    @property
    def patterns(self) -> set[str]:
        """Names of classes that may come from the sources: those of a large program are not asked one by one."""
        known = [address.source.package for address in self.addresses if address.source is not None]
        return {f"{package}.*" for package in known} if len(known) == len(self.addresses) and all(known) else {"*"}

    # where calls are seen

    async def prepared(self, loaded: LoadedType) -> None:
        """A class came: ask for the events of its methods that are in focus."""
        if self.over or self.session.jvm is None:
            return
        types, found = self.machine.types, dict[Key, tuple[Function, int]]()
        for address in self.addresses:
            if not await means(address, types, loaded.id):
                continue
            for method, lines in await types.all_lines(loaded.id):
                if method.flags & GENERATED or not lines.entries:
                    continue
                line = lines.entries[0][1]  # Kotlin checks arguments before it, on no line
                fitting = [each for each in self.files[address.path] if each.means(method, line)]
                if fitting:
                    found[method.type, method.id] = (max(fitting, key=lambda each: each.first), lines.start)
        fresh = {key: one for key, one in found.items() if key not in self.methods}
        if fresh:
            await self._ask(loaded.id, fresh)

    async def _ask(self, type_id: int, found: dict[Key, tuple[Function, int]]) -> None:
        machine = self.machine
        if Kind.EXCEPTION not in self.requests.values():
            thrown = machine.modifiers().exception(0, caught=True, uncaught=True)
            await self._request(Kind.EXCEPTION, thrown)
        for (_, method), (function, start) in found.items():
            self.methods[type_id, method] = function
            await self._request(Kind.BREAKPOINT, machine.modifiers().location(Location(1, type_id, method, start)))
        await self._request(Kind.METHOD_EXIT_WITH_VALUE, machine.modifiers().class_only(type_id))

    async def _request(self, kind: Kind, modifiers: Any) -> None:
        self.requests[await self.machine.set_request(kind, Policy.THREAD, modifiers)] = kind

    # what is seen

    def takes(self, happening: Happening) -> bool:
        """Take events that are ours, to be looked at in their order; tell whether they are."""
        if not any(event.request in self.requests for event in happening.events):
            return False
        self._queue.put_nowait(happening)
        return True

    async def _run(self) -> None:
        while True:
            happening = await self._queue.get()
            try:
                for event in happening.events:
                    await self._look(event)
                await self.machine.resume_thread(happening.thread)
                if self.recorder.full and not self.over:
                    await self._stop()
            except DapwrightError as bad:
                if self.session.jvm is None:
                    return
                print(f"dapwright: an event of a trace was passed over: {bad}", file=sys.stderr)

    async def _look(self, event: Event) -> None:
        if self.over:
            return
        function = self.methods.get((event.location.type, event.location.method))
        match event.kind:
            case Kind.BREAKPOINT if function is not None:
                await self._enter(event, function)
            case Kind.METHOD_EXIT_WITH_VALUE if function is not None:
                await self._leave(event)
            case Kind.EXCEPTION if self.recorder.stack(event.thread):
                await self._thrown(event)

    async def _depth(self, thread: int) -> int:
        machine = self.machine
        return (await machine.link.ask(FRAME_COUNT, machine.link.writer().object(thread))).i32()

    async def _enter(self, event: Event, function: Function) -> None:
        """A method is at its first instruction: it begins, or a loop comes back there."""
        thread, key, recorder = event.thread, (event.location.type, event.location.method), self.recorder
        depth = await self._depth(thread)
        recorder.unwind(thread, depth)
        stack = recorder.stack(thread)
        if stack and stack[-1].depth == depth and stack[-1].key == key:
            return
        call = recorder.begin(thread, key, depth)
        if not call.shown:
            return
        frame = await self._frame(thread)
        method = await self.machine.types.method(*key)
        if method is not None:
            call.arguments = await self._arguments(thread, frame, method)
        call.before = await self._attributes(thread, frame)
        more = {"receiver": "this", "thread": await self._name(thread)}
        recorder.began(thread, call, function.name, function.file, function.line, more)
        self._soon()

    async def _frame(self, thread: int) -> JavaFrame:
        """The top frame alone: a deep stack is long."""
        link = self.machine.link
        reader = await link.ask(codes.FRAMES, link.writer().object(thread).i32(0).i32(1))
        reader.i32()
        return JavaFrame(reader.frame(), reader.location())

    async def _name(self, thread: int) -> str:
        if thread not in self.names:
            self.names[thread] = await self.machine.thread_name(thread)
        return self.names[thread]

    async def _arguments(self, thread: int, frame: JavaFrame, method: Method) -> dict[str, str]:
        slots = await self.machine.types.slots(method)
        if slots is None:
            return {}
        start = frame.location.index
        held = sorted(
            (s for s in slots if s.start <= start and s.alive(start) and s.name != "this"), key=attrgetter("number")
        )
        values = await self.machine.frame_values(thread, frame, held)
        shown = [await self._shown(value) for value in values]
        return dict(zip([slot.name for slot in held], shown, strict=True))

    async def _shown(self, value: Any) -> str:
        return (await self.session.live.values.show(value, 1, LONGEST)).text[: LONGEST * 2]

    async def _attributes(self, thread: int, frame: JavaFrame) -> dict[str, str] | None:
        """The fields of `this`, as text; None in a static method."""
        machine, values = self.machine, self.session.live.values
        this = await machine.this(thread, frame)
        if this.is_null:
            return None
        fields = await values.instance_fields(await machine.type_of(this.value))
        fields = [each for each in fields if not each.flags & codes.SYNTHETIC][:ATTRIBUTES]
        held = await machine.read_fields(this.value, fields)
        shown = [await self._shown(value) for value in held]
        return dict(zip([each.name for each in fields], shown, strict=True))

    async def _leave(self, event: Event) -> None:
        thread, key = event.thread, (event.location.type, event.location.method)
        call = self.recorder.find(thread, key, await self._depth(thread))
        if call is None:
            return
        value, after = "", None
        if call.shown:
            value = await self._shown(event.value)
            after = await self._after(thread, call)
        self.recorder.end(thread, call, "return", value, changes(call.before, after))
        self._soon()

    async def _after(self, thread: int, call: Activation) -> dict[str, str] | None:
        return await self._attributes(thread, await self._frame(thread)) if call.before is not None else None

    async def _thrown(self, event: Event) -> None:
        """An exception: whoever stands between it and who catches it is over."""
        shown = (await self.session.live.values.show(Value("L", event.exception), 1, LONGEST)).text
        catch, thread = (event.catch.type, event.catch.method), event.thread
        self.recorder.throw(thread, shown, fatal=not catch[1])
        frames: Sequence[JavaFrame] = await self.machine.frames(thread)
        at = next((n for n, f in enumerate(frames) if (f.location.type, f.location.method) == catch), len(frames))
        self.recorder.catch(thread, len(frames) - at)
        self._soon()

    # what is told

    async def _stop(self) -> None:
        """There is no room for more: let the program run as if nobody looked."""
        self.over = True
        for number, kind in list(self.requests.items()):
            await self.machine.clear_request(kind, number)
        self.flush()

    def ended(self) -> None:
        """The program is gone."""
        for thread in list(self.recorder.stacks):
            self.recorder.finish(thread)
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
