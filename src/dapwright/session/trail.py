"""The audit trail of a session: every call that reached it and every stop, a row each, the last 2,000 kept."""

import contextlib
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Protocol

KEPT = 2000
Rows = deque[dict[str, Any]]


class Audited(Protocol):
    """A session, as far as its trail goes."""

    audit: Rows

    def audited(self, row: dict[str, Any]) -> None:
        """Keep a row, and tell who watches."""


_touched: ContextVar[list[Audited] | None] = ContextVar("touched", default=None)


def empty() -> Rows:
    """A trail without rows."""
    return deque(maxlen=KEPT)


def touch(session: Audited) -> None:
    """Note that the call under way has to do with a session."""
    touched = _touched.get()
    if touched is not None and session not in touched:
        touched.append(session)


@contextlib.contextmanager
def watching() -> Iterator[list[Audited]]:
    """Gather the sessions that are touched meanwhile."""
    gathered: list[Audited] = []
    token = _touched.set(gathered)
    try:
        yield gathered
    finally:
        _touched.reset(token)
        gathered.clear()  # what was started meanwhile keeps the context, and would keep the sessions


def timestamp(milliseconds: float) -> str:
    """A time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
