"""What the JVM has suspended, why, and what of it the client was told.

Rules, all from the protocol's specification and from HotSpot's agent:

- an event suspends what its request's policy says (all threads, its own, none), and each
  suspension of all threads must be released once; a thread is suspended and released by itself;
- events of one moment on one thread come together and make one stop;
- while all threads stand at a stop that was told, later events wait, and are told in turn;
- on a thread in a call of ours nothing stops: its events are passed over as they come,
  by the listener itself, since whoever waits for the call may be the one who judges events.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct, field

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.events import Event, Happening
from dapwright.engines.jvm.machine import LoadedType, Machine

Judge = Callable[[Event], Awaitable["Stop | None"]]
ORDER = ("exception", "data breakpoint", "breakpoint", "function breakpoint", "step", "entry")


class Stop(Struct):
    """A reason to stop, before it is told."""

    reason: str
    thread: int
    policy: Policy = Policy.ALL
    """What the client wants to stand; the JVM may hold less, and is then told to hold the rest."""
    ids: list[int] = field(default_factory=list[int])
    text: str = ""
    description: str = ""
    extra: dict[str, Any] = field(default_factory=dict[str, Any])
    exception: int = 0
    catch_type: int = 0
    quiet_step: bool = False
    """One more instruction is to run before this is told (a field's write)."""


class Stops:
    """The queue of events, and the account of suspensions."""

    def __init__(self, machine: Machine, judge: Judge, tell: Callable[[Stop], Awaitable[None]]) -> None:
        self.machine = machine
        machine.on_late = self.late
        self.held_all = 0
        """How many suspensions of all threads are ours to release."""
        self.at_start = False
        """It waits at its very beginning, for us."""
        self.held: dict[int, Stop] = {}
        """Threads that stand alone at a stop that was told."""
        self.current: Stop | None = None
        """The stop of all threads that was told last."""
        self.prepared: Callable[[LoadedType], Awaitable[None]] | None = None
        self._judge = judge
        self._tell = tell
        self._queue: asyncio.Queue[Happening] = asyncio.Queue()
        self._free = asyncio.Event()
        self._free.set()
        self._task: asyncio.Task[None] | None = None
        self._passing: set[asyncio.Task[None]] = set()
        self._writing: dict[int, Stop] = {}

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def end(self) -> None:
        """Listen no more."""
        tasks = [*self._passing, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def take(self, happening: Happening) -> None:
        """Receive events; those of a thread in a call of ours are passed over at once."""
        thread = happening.thread
        if thread in self.machine.calling:
            if any(event.kind is not Kind.CLASS_PREPARE for event in happening.events):
                self.machine.passed += 1
            task = asyncio.create_task(self._pass(happening))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)
        else:
            if happening.policy == Policy.ALL:
                self.machine.suspended_again()
            self._queue.put_nowait(happening)

    def late(self, thread: int) -> None:
        """A call that ran out of time returned, and stands; it runs on where the program does."""
        if self.stands(thread) is None and self.machine.link.ended is None:
            self.machine.link.send(codes.RESUME_THREAD, self.machine.link.writer().object(thread))

    def stands(self, thread: int) -> Stop | None:
        """The stop at which a thread stands, if it does."""
        return self.held.get(thread) or (self.current if self.held_all else None)

    async def _pass(self, happening: Happening) -> None:
        await self._prepare(happening)
        await self._release(happening)

    async def _prepare(self, happening: Happening) -> None:
        for event in happening.events:
            if event.kind is Kind.CLASS_PREPARE and self.prepared:
                await self.prepared(LoadedType(event.type_tag, event.type, event.signature))

    async def _run(self) -> None:
        while True:
            happening = await self._queue.get()
            try:
                await self._prepare(happening)
                if any(event.kind is not Kind.CLASS_PREPARE for event in happening.events):
                    await self._free.wait()
                await self._handle(happening)
            except DapwrightError as bad:
                if self.machine.link.ended is not None:
                    return
                print(f"dapwright: an event was passed over: {bad}", file=sys.stderr)
                await self._release_if_possible(happening)

    async def _release_if_possible(self, happening: Happening) -> None:
        try:
            await self._release(happening)
        except DapwrightError:
            pass

    async def _handle(self, happening: Happening) -> None:
        written = self._writing.pop(happening.thread, None)
        found = [written] if written else []
        for event in happening.events:
            stop = await self._judge(event)
            if stop is not None:
                found.append(stop)
        if not found:
            await self._release(happening)
            return
        stop = merge(found)
        if stop.quiet_step and not written and await self._finish_write(happening, stop):
            return
        await self._hold(happening, stop)
        await self._tell(stop)

    async def _finish_write(self, happening: Happening, stop: Stop) -> bool:
        """Run the one instruction that writes the field: the JVM stops before it, and we tell of it after."""
        machine, thread = self.machine, happening.thread
        stop.quiet_step = False
        try:
            rest = machine.modifiers().step(thread, size=0, depth=1).count(1)
            await machine.set_request(Kind.STEP, Policy.THREAD, rest)
        except DapwrightError:
            return False
        self._writing[thread] = stop
        if happening.policy == Policy.ALL:
            stop.extra["_held"] = True
        await machine.resume_thread(thread)
        return True

    async def _hold(self, happening: Happening, stop: Stop) -> None:
        """Make the JVM hold what the stop wants held."""
        held_all = bool(stop.extra.pop("_held", False)) or happening.policy == Policy.ALL
        if not held_all and stop.policy == Policy.ALL:
            await self.machine.suspend()
            held_all = True
            if happening.policy == Policy.THREAD:
                self.machine.link.send(codes.RESUME_THREAD, self.machine.link.writer().object(happening.thread))
        if held_all:
            self.held_all += 1
            self.current = stop
            self._free.clear()
        else:
            self.held[happening.thread] = stop

    async def _release(self, happening: Happening) -> None:
        if happening.policy == Policy.ALL:
            await self.machine.resume()
        elif happening.policy == Policy.THREAD:
            await self.machine.resume_thread(happening.thread)

    async def pause(self, stop: Stop) -> bool:
        """Suspend every thread and tell `stop`; False where all stand already (a second suspension would stay)."""
        if self.held_all:
            return False
        self.held_all += 1  # before the JVM answers: an event may come meanwhile, and bring a suspension of its own
        self.current = stop
        self._free.clear()
        await self.machine.suspend()
        await self._tell(stop)
        return True

    def note_start(self) -> None:
        """The JVM came suspended: one suspension is ours to release."""
        self.held_all += 1
        self.at_start = True
        self._free.clear()

    async def resume(self, thread: int | None) -> bool:
        """Let the program run on from what was told; True where nothing is left standing."""
        if not self.held_all and thread is not None:
            self.held.pop(thread, None)
            await self.machine.resume_thread(thread)
            return not self.held
        count, self.held_all = self.held_all, 0
        self.current = None
        self.at_start = False
        if thread in self.held:
            del self.held[thread]
            await self.machine.resume_thread(thread)
        self.machine.forget_frames()
        for _ in range(count):
            await self.machine.resume()
        self._free.set()
        return not self.held


def merge(found: list[Stop]) -> Stop:
    """One stop of several that happened at once: the strongest reason, every breakpoint's id."""
    found = sorted(found, key=lambda stop: ORDER.index(stop.reason) if stop.reason in ORDER else len(ORDER))
    first = found[0]
    for other in found[1:]:
        first.ids += [number for number in other.ids if number not in first.ids]
        first.extra = other.extra | first.extra
        first.policy = max(first.policy, other.policy)
    return first
