"""One debugged program: what it is made of, and what becomes of events."""

import asyncio
import itertools
import signal
import sys
import time
from collections.abc import Coroutine
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dapwright.core.errors import DapwrightError, WrongState
from dapwright.engines.dapserver import Server
from dapwright.engines.jvm.codes import DISPOSE, EXIT_VM, Kind, Policy
from dapwright.engines.jvm.connection import Connection
from dapwright.engines.jvm.evaluating import Evaluation
from dapwright.engines.jvm.events import Happening
from dapwright.engines.jvm.exceptions import Exceptions, Wanted
from dapwright.engines.jvm.handles import FrameHandle, Handles, ObjectHandle, ScopeHandle
from dapwright.engines.jvm.judging import Judge
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.planted import Breakpoint
from dapwright.engines.jvm.planting import Plant
from dapwright.engines.jvm.program import Program
from dapwright.engines.jvm.sourcepaths import SourcePaths
from dapwright.engines.jvm.stepping import Steps
from dapwright.engines.jvm.stops import Stop, Stops
from dapwright.engines.jvm.values import Values
from dapwright.engines.jvm.watching import Watches

if TYPE_CHECKING:
    from dapwright.engines.jvm.compiler import Compiler
    from dapwright.engines.jvm.tracing import Tracing

CLOSE_SECONDS = 3.0


class Jvm:
    """A JVM that we are connected to, and all that is known of it."""

    def __init__(self, session: "Session", link: Connection) -> None:
        self.machine = Machine(link)
        self.values = Values(self.machine)
        self.steps = Steps(self.machine)
        self.watches = Watches(self.machine)
        self.exceptions = Exceptions(self.machine, session.plant.wait_for)
        self.evaluation = Evaluation(self.machine, lambda: session.compiler)
        judge = Judge(self, session.plant, session.log, session.changed)
        self.stops = Stops(self.machine, judge.judge, session.tell_stop)
        self.stops.prepared = session.plant.prepared


class Session:
    """The engine's side of one client."""

    def __init__(self, server: "Server[Session]") -> None:
        self.server = server
        self.plant = Plant(self.changed)
        self.jvm: Jvm | None = None
        self.program: Program | None = None
        self.tracing: Tracing | None = None
        self.arguments: dict[str, Any] = {}
        self.launched = False
        self.loaded_at = 0.0
        """When the program's classes were last read, ms since 1970: what is newer can be reloaded."""
        self.leaving = False
        self.configured = False
        self.wanted_exceptions: list[Wanted] = []
        self.frames: Handles[FrameHandle] = Handles(itertools.count(1), "frame")
        self.references: Handles[ScopeHandle | ObjectHandle] = Handles(itertools.count(1), "variablesReference")
        self.sources = SourcePaths()
        self.last_stop: dict[int, Stop] = {}
        self._threads: dict[int, int] = {}
        self._told_exception = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False
        self._over = asyncio.Event()

    # what others ask of the session

    @cached_property
    def compiler(self) -> "Compiler":
        """What compiles snippets of Java: made, and its modules read, when the first is evaluated."""
        from dapwright.engines.jvm.compiler import Compiler

        return Compiler(str(self.arguments.get("javaPath") or ""))

    @property
    def live(self) -> Jvm:
        """Raises WrongState: no program runs."""
        if self.jvm is None:
            raise WrongState("no program is being debugged", "launch or attach first")
        return self.jvm

    def thread_number(self, thread: int) -> int:
        """Our number of a thread: the JVM's ids may not fit a client's integers."""
        return self._threads.setdefault(thread, len(self._threads) + 1)

    def thread_of(self, number: int) -> int:
        """Raises WrongState: there is no such thread."""
        for thread, ours in self._threads.items():
            if ours == number:
                return thread
        raise WrongState(f"there is no thread {number}", "ask for the threads again")

    def standing(self, number: int) -> int:
        """The JVM's id of a thread that stands at a stop.

        Raises:
            WrongState: it runs.
        """
        thread = self.thread_of(number)
        if self.live.stops.stands(thread) is None:
            raise WrongState(f"thread {number} is running", "pause it, or wait for a stop")
        return thread

    def output(self, category: str, text: str) -> None:
        self.server.event("output", {"category": category, "output": text})

    def log(self, one: Breakpoint, text: str) -> None:
        """Print what a logpoint says."""
        body: dict[str, Any] = {"category": "console", "output": text + "\n", "breakpointId": one.id}
        if one.address:
            body |= {"source": {"path": one.address.path}, "line": one.bound_line}
        self.server.event("output", body)

    def changed(self, one: Any) -> None:
        """Tell that a breakpoint was bound, moved or failed."""
        self.server.event("breakpoint", {"reason": "changed", "breakpoint": one.body()})

    # beginning and end

    async def join(self, link: Connection) -> Jvm:
        """Take a JVM that we are connected to, and plant what was wanted."""
        self.jvm = jvm = Jvm(self, link)
        self.loaded_at = time.time() * 1000
        link.on_event = self._take
        link.on_end = self._lost
        link.start()
        jvm.stops.start()
        await self.plant.begin(jvm.machine)
        await jvm.exceptions.want(self.wanted_exceptions)
        self.keep(self._warm(jvm))
        return jvm

    async def _warm(self, jvm: Jvm) -> None:
        """Learn the ids of threads early, so that the first stop finds them."""
        try:
            for thread in await jvm.machine.threads():
                self.thread_number(thread)
        except DapwrightError:
            pass

    async def begin(self) -> None:
        """The client is done configuring: run, or stand where it wants the program to stand.

        A breakpoint may have stopped a program that we attached to before this; that stop stays.
        """
        self.configured = True
        jvm = self.live
        stands = bool(self.arguments.get("stopOnEntry")) and not self.launched
        if jvm.stops.at_start:
            if stands:
                jvm.stops.at_start = False
                await self.tell_stop(Stop("entry", await jvm.machine.main_thread()))
            else:
                await jvm.stops.resume(None)
        elif stands:
            await jvm.stops.pause(Stop("pause", await jvm.machine.main_thread()))

    def keep(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run `work` beside everything else; the session's end ends it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` beside everything else, without waiting for it."""
        self.keep(work)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            print(f"dapwright: {task.exception()}", file=sys.stderr)

    async def ended(self) -> None:
        """Wait until the program's end was told."""
        await self._over.wait()

    def _take(self, happening: Happening) -> None:
        jvm = self.jvm
        if jvm is None:
            return
        first = happening.events[0] if happening.events else None
        if first is None or first.kind is Kind.VM_DEATH:
            return
        if self.tracing is not None and self.tracing.takes(happening):
            return
        if first.kind is Kind.VM_START:
            if happening.policy == Policy.ALL:
                jvm.stops.note_start()
                if self.configured:
                    self.keep(self.begin())
        elif first.kind is Kind.METHOD_EXIT_WITH_VALUE:
            for event in happening.events:
                jvm.steps.returned(event)
        else:
            jvm.stops.take(happening)

    def _lost(self, words: str) -> None:
        if self.jvm is not None and not self._ended:
            self._ended = True
            self.keep(self._finish(words))

    async def _finish(self, words: str) -> None:
        """The JVM is gone: tell how it ended."""
        jvm, self.jvm = self.jvm, None
        if self.tracing is not None:
            self.tracing.ended()
        self.plant.end()
        if jvm is not None:
            await jvm.stops.end()
        if self.program is not None and not self.leaving:
            await self.tell_exit(self.program)
        self.server.event("terminated")
        self._over.set()

    async def tell_exit(self, program: Program) -> None:
        """Wait for the program's end and tell its code, or the signal that ended it."""
        code = await program.end()
        body: dict[str, Any] = {"exitCode": code}
        if code < 0:
            known = {one.value: one.name for one in signal.Signals}
            body = {"signal": known.get(-code, f"signal {-code}")}
        self.server.event("exited", body)

    async def leave(self, *, kill: bool) -> None:
        """End a program (or let it run on, undebugged): what we attached to lives on."""
        self.leaving = not kill
        jvm = self.jvm
        if jvm is not None and not kill:
            self._ended = True
            try:
                await jvm.machine.link.ask(DISPOSE, seconds=CLOSE_SECONDS)
            except DapwrightError:
                pass
            self.jvm = None
            await jvm.stops.end()
            jvm.machine.link.close()
        if kill and self.program is not None:
            self.program.kill()
        elif kill and jvm is not None:
            jvm.machine.link.send(EXIT_VM, jvm.machine.link.writer().i32(143))

    async def close(self) -> None:
        """Leave nothing behind: what we launched is killed, what we attached to runs on."""
        if self.program is not None and not self.leaving:
            self.program.kill()
        elif self.jvm is not None:
            await self.leave(kill=False)
        if "compiler" in vars(self):
            await self.compiler.close()
        if self.jvm is not None:
            await self.jvm.stops.end()
            self.jvm.machine.link.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.program is not None and not self.leaving:
            await self.program.close()

    # stops

    async def tell_stop(self, stop: Stop) -> None:
        """Tell the client that threads stand."""
        jvm = self.jvm
        if jvm is None:
            return
        if stop.thread:
            await jvm.steps.cancel(stop.thread)
        self.last_stop[stop.thread] = stop
        body: dict[str, Any] = {"reason": stop.reason, "allThreadsStopped": bool(jvm.stops.held_all)}
        body |= {"threadId": self.thread_number(stop.thread)} if stop.thread else {}
        body |= {"hitBreakpointIds": stop.ids} if stop.ids else {}
        body |= {"text": stop.text} if stop.text else {}
        body |= {"description": stop.description} if stop.description else {}
        self.server.event("stopped", body | stop.extra)

    async def go_on(self, thread: int | None) -> bool:
        """Resume what was told; True where everything runs again. Handles of what runs die."""
        jvm = self.live
        everything = bool(jvm.stops.held_all)
        jvm.machine.release(jvm.evaluation.kept)
        jvm.evaluation.kept.clear()
        self.frames.drop(None if everything else thread)
        self.references.drop(None if everything else thread)
        return await jvm.stops.resume(thread)
