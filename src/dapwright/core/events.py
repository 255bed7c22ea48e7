"""Events of the Debug Adapter Protocol, as tolerant types."""

from typing import Any

import msgspec

from dapwright.core.bodies import Body, Breakpoint


class StoppedEvent(Body):
    reason: str = ""
    description: str | None = None
    thread_id: int | None = None
    text: str | None = None
    all_threads_stopped: bool | None = None
    hit_breakpoint_ids: list[int] | None = None
    preserve_focus_hint: bool | None = None


class ContinuedEvent(Body):
    thread_id: int | None = None
    all_threads_continued: bool | None = None


class OutputEvent(Body):
    output: str = ""
    category: str | None = None
    data: Any = None


class ExitedEvent(Body):
    exit_code: int | None = None


class ThreadEvent(Body):
    reason: str = ""
    thread_id: int = 0


class BreakpointEvent(Body):
    reason: str = ""
    breakpoint: Breakpoint = msgspec.field(default_factory=Breakpoint)


class ProcessEvent(Body):
    name: str = ""
    system_process_id: int | None = None
    is_local_process: bool | None = None
    start_method: str | None = None


class CapabilitiesEvent(Body):
    capabilities: dict[str, Any] = {}
