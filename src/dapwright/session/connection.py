"""One connection of a session: the debugged program, or one of its child processes."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dapwright.channel import Channel
from dapwright.client import Client
from dapwright.core import bodies, events
from dapwright.core import protocol as dap
from dapwright.core.adapter import Adapter
from dapwright.core.addresses import address_of
from dapwright.core.errors import AdapterError, DapwrightError, ProtocolError
from dapwright.core.ledger import Keeps, Ledger, Record, wish
from dapwright.core.model import Frame
from dapwright.core.protocol import Message
from dapwright.core.returning import Out

HANDSHAKE_SECONDS = 20.0
FAREWELL_SECONDS = 2.0

INITIALIZE = {
    "clientID": "dapwright",
    "clientName": "dapwright",
    "locale": "en-US",
    "linesStartAt1": True,
    "columnsStartAt1": True,
    "pathFormat": "path",
    "supportsVariableType": True,
    "supportsVariablePaging": True,
    "supportsStartDebuggingRequest": True,
    "supportsMemoryReferences": True,
    "supportsANSIStyling": False,
}
FRAMES = 20
"""How much of a stack is asked for at once."""


@dataclass(slots=True, eq=False)
class Stop:
    """A thread of a connection that stands still, from the engine's event until it is resumed."""

    connection: "Connection"
    thread: int | None
    """The engine's own id."""
    reason: str
    raw_reason: str
    description: str = ""
    text: str = ""
    engine_hits: tuple[int, ...] = ()
    all_threads: bool = True
    hits: list[str] = field(default_factory=list[str])
    """Our ids of the breakpoints that it stopped at."""
    exception: dict[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """More that an engine of ours tells: `oldValue`, `newValue`, `returnValue`."""
    note: str = ""
    number: int = 0
    told: bool = False
    frames: list[Frame] | None = None
    total_frames: int | None = None


class Connection:
    """A DAP session of one process: its client, what it can do, and what stands still in it."""

    def __init__(self, number: int, adapter: Adapter, channel: Channel, on_event: "OnEvent", on_request: "OnRequest"):
        self.number = number
        self.adapter = adapter
        self.label = ""
        """Which process this is; empty for the program itself."""
        self.capabilities = bodies.Capabilities()
        self.epoch = 0
        """Counts resumptions: an engine's frame and variable ids live for one epoch."""
        self.process_id: int | None = None
        self.thread_names: dict[int, str] = {}
        self.ahead = False
        """The stop of the step under way will be told with its locals: its looks may be sent ahead of being asked."""
        self.passed: Stop | None = None
        """The last stop that came while an expression was evaluated."""
        self.instrumented = False
        """Code of ours in the process judges its breakpoints (probing.py)."""
        self.out = Out()  # a step under way (strides.py, returning.py)
        self._instructed = False
        """It has breakpoints at machine addresses of ours."""
        self.bounded = False
        """Code of ours in the process interrupts evaluations that take too long."""
        self.running = True
        self.over = False
        self.watched: dict[str, str] = {}
        """The last known value of each watched expression, for engines that do not tell it (watching.py)."""
        self.fatal = 0
        """The signal that its program stands at and cannot survive (dying.py)."""
        self.terminated = False
        """The program behind it has ended, or the connection has."""
        self.begun = False
        """A launch or an attachment was asked: from here on its end is the program's business."""
        self.configured = False
        self.initialized = asyncio.Event()
        self._awaited: dict[str, list[asyncio.Future[Any]]] = {}
        self._on_event = on_event
        self.client = Client(channel, self._heard, lambda command, body: on_request(self, command, body))

    def _heard(self, name: str, body: Any) -> None:
        match name:
            case "initialized":
                self.initialized.set()
            case "capabilities":
                told = dap.lenient(body, events.CapabilitiesEvent).capabilities
                merged = {**msgspec.to_builtins(self.capabilities), **told}
                self.capabilities = dap.lenient(merged, bodies.Capabilities)
            case "process":
                self.process_id = dap.lenient(body, events.ProcessEvent).system_process_id or self.process_id
            case "thread":
                self._thread(dap.lenient(body, events.ThreadEvent))
        for waiter in self._awaited.pop(name, []):
            if not waiter.done():
                waiter.set_result(body or {})
        self._on_event(self, name, body)

    async def event(self, name: str) -> Any:
        """Wait for the next event of that name; its body."""
        waiter: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._awaited.setdefault(name, []).append(waiter)
        return await waiter

    def _thread(self, event: events.ThreadEvent) -> None:
        if event.reason == "exited":
            self.thread_names.pop(event.thread_id, None)
        else:
            self.thread_names.setdefault(event.thread_id, "")

    async def introduce(self, more: Mapping[str, Any], seconds: float = HANDSHAKE_SECONDS) -> None:
        """Send `initialize`, and learn what the engine can do. Some take their time to start: a runtime, an index."""
        arguments = {**INITIALIZE, "adapterID": self.adapter.dap_id, **more}
        self.capabilities = await self.client.ask(dap.INITIALIZE, arguments, seconds)

    async def begin(
        self,
        request: str,
        arguments: Mapping[str, Any],
        configure: Callable[["Connection"], Awaitable[None]],
        seconds: float | None,
    ) -> None:
        """Launch or attach, and configure: the one order that every adapter accepts.

        An adapter answers `launch` before, while or after it is configured, and one that
        refuses it may never send `initialized`: so the two are awaited side by side.

        Raises:
            AdapterError: the launch was refused.
            ProtocolError: the adapter did not get there within `seconds`, or died.
        """
        asked = dap.LAUNCH if request == "launch" else dap.ATTACH
        answer = self.client.send(asked, arguments)
        self.begun = True
        await self._ready(answer, seconds)
        await configure(self)
        if self.capabilities.supports_configuration_done_request is not False:
            with contextlib.suppress(AdapterError) if not self._must_configure() else contextlib.nullcontext():
                await self.client.ask(dap.CONFIGURATION_DONE, {})
        try:
            message = await asyncio.wait_for(answer, HANDSHAKE_SECONDS)
        except TimeoutError:
            raise ProtocolError(f"the debugger never answered `{request}`", "close the session") from None
        self.client.opened(asked, message)
        self.configured = True

    def _must_configure(self) -> bool:
        return self.capabilities.supports_configuration_done_request is True

    async def _ready(self, answer: asyncio.Future[Message], seconds: float | None) -> None:
        """Wait for `initialized`; a refused launch, or the connection's end, comes first where there is one."""
        waiter: asyncio.Future[Any] = asyncio.ensure_future(self.initialized.wait())
        try:
            await asyncio.wait({waiter, answer}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if answer.done() and not self.initialized.is_set():
                self.client.opened(dap.LAUNCH, answer.result())
                await asyncio.wait({waiter}, timeout=seconds)
            if not self.initialized.is_set():
                if self.client.closed:
                    raise ProtocolError("the debugger closed the connection while it started", self.client.broken)
                raise ProtocolError(f"the debugger was not ready within {seconds or 0:g} s", "close the session")
        finally:
            waiter.cancel()

    async def sync(self, ledger: Ledger, file: str, keep: Keeps, path: str) -> list[tuple[Record, int, int]]:
        """Make the engine's breakpoints in `file` ours; `path` is the file as this engine knows it.

        Returns what the engine has put elsewhere (core/ledger.py: settle).
        """
        wanted = ledger.wire(self.number, file, keep)
        body = await self.client.ask(
            dap.SET_BREAKPOINTS,
            {
                "source": {"path": path, "name": path.rsplit("/", 1)[-1]},
                "breakpoints": wanted,
                "lines": [entry["line"] for entry in wanted],
                "sourceModified": False,
            },
        )
        return ledger.settle(self.number, file, body.breakpoints)

    async def sync_functions(self, ledger: Ledger, keep: Keeps) -> None:
        """Make the engine's function breakpoints ours, where it has them."""
        await self._sync_instructions(ledger, keep)
        if not self.capabilities.supports_function_breakpoints or "functions" in self.adapter.accepts_and_ignores:
            return
        records = [
            record for record in ledger.of_kind("function") if not record.places and not address_of(record.function)
        ]
        wanted = [{"name": record.function, **wish(record, keep)} for record in records]
        body = await self.client.ask(dap.SET_FUNCTION_BREAKPOINTS, {"breakpoints": wanted})
        ledger.settle_records(self.number, records, body.breakpoints)
        if self.adapter.function_breakpoints == "ours":
            for record in records:  # it calls any name verified (debugpy 1.8.22): a hit alone is proof
                record.said[self.number].verified = False

    async def _sync_instructions(self, ledger: Ledger, keep: Keeps) -> None:
        """The same for those that name a machine address (`*0x401136`), which are a list of their own."""
        records = [record for record in ledger.of_kind("function") if address_of(record.function)]
        if not self.capabilities.supports_instruction_breakpoints or not (records or self._instructed):
            return
        self._instructed = bool(records)
        wanted = [{"instructionReference": address_of(record.function), **wish(record, keep)} for record in records]
        body = await self.client.ask(dap.SET_INSTRUCTION_BREAKPOINTS, {"breakpoints": wanted})
        ledger.settle_records(self.number, records, body.breakpoints)

    async def sync_watches(self, ledger: Ledger) -> None:
        """Make the engine's data breakpoints ours, where it has them."""
        if not self.capabilities.supports_data_breakpoints:
            return
        records = [record for record in ledger.of_kind("watch") if record.data_id]
        wanted = [{"dataId": r.data_id, "accessType": r.access, **wish(r, Keeps())} for r in records]
        body = await self.client.ask(dap.SET_DATA_BREAKPOINTS, {"breakpoints": wanted})
        ledger.settle_records(self.number, records, body.breakpoints)

    async def sync_exceptions(self, filters: tuple[str, ...], options: tuple[Mapping[str, Any], ...]) -> None:
        """Ask for stops on exceptions, by the filters that this engine advertises."""
        known = {entry.filter for entry in self.capabilities.exception_breakpoint_filters or []}
        if not known and not options:
            return
        arguments: dict[str, Any] = {"filters": [name for name in filters if name in known]}
        if options and self.capabilities.supports_exception_options:
            arguments["exceptionOptions"] = list(options)
        if (by_filter := [each for each in options if each.get("filterId") in known]) and (
            self.capabilities.supports_exception_filter_options
        ):
            arguments["filterOptions"] = by_filter
        await self.client.ask(dap.SET_EXCEPTION_BREAKPOINTS, arguments)

    async def frames(self, stop: Stop, levels: int) -> list[Frame]:
        """The stack of a stopped thread, innermost first; asked once a stop."""
        if stop.frames is None or (len(stop.frames) < levels and (stop.total_frames or 0) > len(stop.frames)):
            body = await self.client.ask(dap.STACK_TRACE, stack_of(stop, levels))
            stop.frames = [frame_of(told) for told in body.stack_frames]
            stop.total_frames = body.total_frames
        return stop.frames

    async def farewell(self, *, terminate: bool) -> None:
        """Disconnect; a debugger that does not answer is left to be killed."""
        if self.client.closed:
            return
        with contextlib.suppress(DapwrightError):
            await self.client.ask(dap.DISCONNECT, {"restart": False, "terminateDebuggee": terminate}, FAREWELL_SECONDS)


def stack_of(stop: Stop, levels: int) -> dict[str, Any]:
    """What is asked for a stack."""
    return {"threadId": stop.thread or 0, "startFrame": 0, "levels": levels}


OnEvent = Callable[[Connection, str, Any], None]
OnRequest = Callable[[Connection, str, Any], Awaitable[Mapping[str, Any]]]


RUST_HASH = re.compile(r"::h[0-9a-f]{16}$")
"""What rustc ends a function's name with, and LLDB leaves there."""


def frame_of(told: bodies.StackFrame) -> Frame:
    """A frame of the protocol as one of ours; where a file is missing the source's name stands in for it."""
    source = told.source
    file = (source.path or source.name or "") if source else ""
    if file == told.name:
        file = ""  # LLDB's name for a listing of machine code
    return Frame(
        id=told.id,
        name=RUST_HASH.sub("", told.name),
        file=file,
        line=told.line,
        column=told.column,
        source_reference=(source.source_reference or 0) if source else 0,
        hint=told.presentation_hint or (source.presentation_hint if source else None) or "",
    )
