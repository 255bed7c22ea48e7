"""One debugging session: what we know of it, and how events change that.

The verbs stand beside this file: launching (begin, adopt children, end), judging (what
a stop means), arming (breakpoints), running (go on), looking (read and evaluate).
"""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from itertools import count
from typing import Any

from dapwright import bounds
from dapwright.builds import Build, Builds
from dapwright.core import state
from dapwright.core.adapter import Adapter
from dapwright.core.errors import AdapterError, Busy, DapwrightError, ProtocolError
from dapwright.core.handles import Handles
from dapwright.core.ledger import Ledger
from dapwright.core.model import Attach, Host, Launch, Plan
from dapwright.core.output import Transcript
from dapwright.core.revisits import Revisits
from dapwright.core.rows import Findings
from dapwright.feed import Feed
from dapwright.policy.permit import Permit, Request
from dapwright.session import hearing, notices, tasks, trail
from dapwright.session.connection import Connection, Stop
from dapwright.session.streams import Streams
from dapwright.transport import Process, signal_name

Ask = Callable[[Request], Awaitable[Permit]]
"""Judges a process to be started, asking the person where the rules say so."""
Effects = Callable[[Sequence[Sequence[str]]], Awaitable[None]]
"""Judges code that is to run in the program: `evaluate EXPRESSION`, `assign NAME = VALUE`."""


class Session:
    """The nouns of a session and its changes of state; every change wakes whoever waits."""

    ask: Ask
    effects: Effects
    judge: Callable[["Session", Stop], Coroutine[Any, Any, None]]
    finish: Callable[["Session", Connection], Coroutine[Any, Any, None]]
    abandon: Callable[["Session"], Coroutine[Any, Any, None]]
    request: Callable[["Session", Connection, str, Any], Awaitable[Mapping[str, Any]]]
    test_command: Any = None
    investigation: Any = None
    endpoint: Any = None
    """The test that it runs, the probes in it (evidence/), and where code in the program tells us (probing.py)."""
    tracing: Any = None
    """The functions whose calls the engine is to tell (evidence/tracing.py), as arguments of `dapwright/trace`."""
    owed: tuple[str, str] | None = None
    """The kind and the name of a run that was pending when it was told of: the gate counts it once it is over."""

    def __init__(self, identity: str, *, name: str, adapter: Adapter, host: Host, client: str, clock: "Clock") -> None:
        self.id = identity
        self.name = name
        self.adapter = adapter
        self.host = host
        self.client = client
        """Which client of ours it belongs to."""
        self.clock = clock
        self.created = self.updated = clock()
        self.launched_at = 0.0
        """When its program was launched last, in seconds as files are dated; 0 where we did not launch it."""
        self.state: state.State = "created"
        self.executable = ""
        self.launch: Launch | None = None
        self.attachment: Attach | None = None
        self.ledger = Ledger()
        self.handles = Handles()
        self.connections: dict[int, Connection] = {}
        self.stops: list[Stop] = []
        """Threads that stand still, in the order in which they stopped."""
        self.notes: list[str] = []
        """What the next answer tells once."""
        self.warnings: list[str] = []
        self.mover = ""
        """The call that moves the program now."""
        self.mark = ""
        """What our processes of this session carry in their environment."""
        self.addressing = "content"
        """How breakpoints are placed (`DAPWRIGHT_ADDRESSING`)."""
        self.explicit = False
        """Values are shown by name only (`DAPWRIGHT_VARIABLES=explicit`)."""
        self.evidence = False
        """Made by an evidence tool: not what a call without `sessionId` means."""
        self.audit = trail.empty()
        self.on_change: Callable[[Session, Any], None] = lambda session, what: None
        self.tasks = tasks.Tasks(self.fail)
        self.builds = Builds()
        self.built: list[Build] = []
        self.leaving: asyncio.Task[None] | None = None
        """Lets go of the program, to its end, even should the call that asked for it be cut off."""
        self._pulse = asyncio.Event()
        self._numbers = count(1)
        self._connection_numbers = count(1)
        self.fresh()

    def fresh(self) -> None:
        """Know nothing of a run of the program: before the first, and before each next one."""
        self.plan: Plan | None = None
        self.prepared: tuple[Launch | Attach, Plan] | None = None
        """The plan of what is about to begin, made when it was judged."""
        self.adapter_process: Process | None = None
        self.program: Process | None = None
        self.feed: Feed | None = None
        self.transcript = Transcript()
        self.output_told = 0
        """The transcript's cursor of the last answer."""
        self._streams = Streams()
        self.last_stop: Stop | None = None
        self.exit_code: int | None = None
        self.signal = ""
        self.error: DapwrightError | None = None
        self.revisits = Revisits()
        self.trigger_result: dict[str, Any] | None = None
        """How a trigger ended, until an answer tells it."""
        self.evaluating = self.judging = 0
        """Expressions that are evaluated, and stops that are looked at, now."""
        self.building = ""
        """The helper process that a launch waits for, as its command line, and the build that it is of."""
        self.build: Build | None = None
        self.invitation = ""
        """What to run so that the program joins us."""
        self.pausing = False
        self.closing = False
        self.findings = Findings()
        """What probes and test runners told of this run."""

    # --- state

    def happened(self, what: state.Happening) -> None:
        """Change the state by the table, and wake whoever waits."""
        before, self.state = self.state, state.after(self.state, what)
        if self.state != before and self.state in ("stopped", "error"):
            row = {"state": self.state, "exitCode": self.exit_code, "signal": self.signal or None}
            self.audited({"time": trail.timestamp(self.clock()), **{k: v for k, v in row.items() if v is not None}})
        self.on_change(self, "state")
        self.pulse()

    def audited(self, row: dict[str, Any]) -> None:
        """Keep a row of the audit trail, and tell who watches it."""
        self.audit.append(row)
        self.on_change(self, "audit")

    def pulse(self) -> None:
        """Wake whoever waits for a change."""
        self.updated = self.clock()
        self._pulse.set()
        self._pulse = asyncio.Event()

    async def until(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Wait until `holds()`, at most `seconds`; tell whether it does. Holds no lock, cancels nothing."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not holds():
                    if self.build is not None:
                        bounds.tell(self.build.words())
                    await self._pulse.wait()
        return holds()

    @contextlib.contextmanager
    def moving(self, who: str) -> "Any":
        """Hold the right to move the program; a second call is told who has it.

        Raises:
            Busy: another call moves the program now.
        """
        if self.mover:
            raise Busy(f"`{self.mover}` is moving this session", "wait for its answer, or call wait_for_stop")
        self.mover = who
        try:
            yield
        finally:
            self.mover = ""

    @property
    def main(self) -> Connection | None:
        """The connection of the program itself."""
        return next(iter(self.connections.values()), None)

    @property
    def live(self) -> bool:
        """It can still be meant by a call that names no session."""
        return self.state in state.LIVE

    @property
    def over(self) -> bool:
        """Its program has ended, or never began."""
        return self.state in ("stopped", "error")

    @property
    def epochs(self) -> dict[int, int]:
        """Each living connection's count of resumptions, for handles."""
        return {number: connection.epoch for number, connection in self.connections.items()}

    @property
    def stop(self) -> Stop | None:
        """The stop that answers speak of: the one told last, else the oldest."""
        told = [stop for stop in self.stops if stop.told]
        return told[-1] if told else self.stops[0] if self.stops else None

    def tell(self) -> Stop | None:
        """The stop to tell now; it counts as told from here on."""
        stop = self.stop
        if stop is not None:
            stop.told = True
            self.last_stop = stop
        return stop

    def fail(self, failure: BaseException) -> None:
        """Record what went wrong in a task of this session; it stops here."""
        if self.closing or self.state in ("stopped", "error"):
            return
        if not isinstance(failure, DapwrightError):
            failure = ProtocolError(
                f"dapwright failed while it served this session: {type(failure).__name__}: {failure}"
            )
        self.error = failure
        self.stops.clear()
        self.happened("failed")
        self.tasks.start(self.abandon(self), "abandon")

    # --- stops

    def publish(self, stop: Stop) -> None:
        """A stop is true and worth telling: from now on the session is paused."""
        stop.number = next(self._numbers)
        stop.connection.running = False
        stop.connection.configured = True  # its program has run: a launch that is not answered yet is only late
        self.stops.append(stop)
        self.last_stop = stop
        self.pausing = False
        self.happened("stopped")
        row = {"time": trail.timestamp(self.clock()), "stop": stop.reason, "thread": stop.thread}
        self.audited({**row, "hitBreakpointIds": stop.hits, "process": stop.connection.label})

    def release(self, connection: Connection, *, thread: int | None = None) -> None:
        """A connection runs again, or one thread of it: its stops are over, and the ids shown there are stale."""
        self.handles.forget(connection.number, connection.epoch)
        connection.epoch += 1
        self.stops = [
            s for s in self.stops if s.connection is not connection or (thread is not None and s.thread != thread)
        ]
        connection.running = not any(s.connection is connection for s in self.stops)
        if not self.stops:
            self.happened("resumed")

    def next_connection(self) -> int:
        """Number a connection; never one that was used before, since handles name it."""
        return next(self._connection_numbers)

    def take_code(self, code: int) -> None:
        """Learn how the program ended from its process: an exit code, or a signal and no code."""
        if code < 0:
            self.signal, self.exit_code = signal_name(-code), None
        else:
            self.exit_code = code

    # --- events

    def heard(self, connection: Connection, name: str, body: Any) -> None:
        """Take an event of a connection in; one of an earlier run says nothing of this one."""
        if self.connections.get(connection.number) is connection:
            hearing.take(self, connection, name, body)
            notices.take(self, connection.number, name, body)
            self.pulse()

    def printed(self, category: str, text: str) -> None:
        """Keep what was printed; learn the exit code from engines that print it."""
        if self.state == "starting" and self.adapter.refusal and (found := self.adapter.refusal.search(text)):
            self.fail(AdapterError(found[1].strip() or text.strip(), f"get_output of session `{self.id}` has the rest"))
        if self.adapter.exit_code and (found := re.search(self.adapter.exit_code, text)):
            self.exit_code = int(found[1])
        self.transcript.add(category, text, int(self.clock()))
        self.on_change(self, "output")

    def stream(self, process: Process, fd: int, data: bytes) -> None:
        """Take what a process of ours wrote on one of its streams."""
        adapters = {1: self.adapter.banner, 2: self.adapter.chatter} if process is self.adapter_process else {}
        for piece in self._streams.pieces(process.pid, fd, data):
            if told := chatter.sub("", piece) if (chatter := adapters.get(fd)) else piece:
                self.printed("stdout" if fd == 1 else "stderr", told)

    def drain(self) -> None:
        """Take all that our processes have printed, and our code in them has told, before now."""
        if self.endpoint is not None:
            self.endpoint.drain()
        if self.program is not None:
            self.program.drain()
        if self.adapter_process is not None and self.plan is not None and self.plan.prints_are_output:
            self.adapter_process.drain()


Clock = Callable[[], float]
"""Milliseconds since the epoch."""
