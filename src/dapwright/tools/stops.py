"""What the tools that can end in a stop share: their answer's shape and their waits."""

from typing import Any

import msgspec

MAX_WAIT_SECONDS = 45.0


class StopAnswer(msgspec.Struct, rename="camel"):
    """Where the program is."""

    session_id: str
    state: str
    pending: bool = False
    message: str = ""
    stop_reason: str = ""
    last_stop: dict[str, Any] = {}
    location: dict[str, Any] = {}
    content: str = ""
    source: str = ""
    locals: list[dict[str, Any]] = []
    stack: list[dict[str, Any]] = []
    output: str = ""
    exit_code: int | None = None
    signal: str = ""
    unhit_breakpoints: list[dict[str, Any]] = []
    note: str = ""
    warning: str = ""


def seconds_of(wait: bool | float | None, *, default: float) -> float:
    """A `wait` argument in seconds: true is 45, more is clipped to it."""
    if wait is None:
        return default
    if wait is True:
        return MAX_WAIT_SECONDS
    return min(max(float(wait), 0.0), MAX_WAIT_SECONDS)


def limit_of(milliseconds: int) -> float:
    """A limit in seconds that passes, and is told, before the call itself is cut off."""
    return min(milliseconds, 44_000) / 1000
