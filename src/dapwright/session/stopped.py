"""An engine's `stopped` event as a stop of ours."""

from typing import Any

from dapwright.core import events
from dapwright.session.connection import Connection, Stop

EXTRA = ("expression", "oldValue", "newValue", "returnValue", "signal", "process")
REASONS = {
    "breakpoint": "breakpoint",
    "instruction breakpoint": "breakpoint",
    "function breakpoint": "function breakpoint",
    "data breakpoint": "data breakpoint",
    "watchpoint": "data breakpoint",
    "step": "step",
    "exception": "exception",
    "signal": "exception",
    "signal-received": "exception",
    "entry": "entry",
    "pause": "pause",
    "goto": "goto",
}


def stop_of(connection: Connection, event: events.StoppedEvent, body: Any) -> Stop:
    """A `stopped` event as one of ours, its reason in the contract's words."""
    return Stop(
        connection=connection,
        thread=event.thread_id,
        reason=REASONS.get(event.reason, event.reason or "unknown"),
        raw_reason=event.reason,
        description=event.description or "",
        text=event.text or "",
        engine_hits=tuple(event.hit_breakpoint_ids or ()),
        all_threads=event.all_threads_stopped is not False,
        extra={key: body[key] for key in EXTRA if isinstance(body, dict) and key in body},
    )
