"""The threads of a program as an agent sees them: those that stopped first, a page at a time."""

from typing import Any

from dapwright.core.errors import DapwrightError
from dapwright.session import looking
from dapwright.session.connection import Connection
from dapwright.session.session import Session
from dapwright.session.values import ask_value

SHOWN = 200
"""Threads that are shown where no page is asked for."""
TOTAL_SECONDS = 5.0


async def rows_of(session: Session, *, start: int, count: int) -> dict[str, Any]:
    """Return a page of the threads of every process, and how many there are where that page is not all of them."""
    found = await looking.threads(session)
    stopped = {(stop.connection.number, stop.thread) for stop in session.stops}
    found.sort(key=lambda one: (one[0].number, one[1].id) not in stopped)  # stable: the engine's order otherwise
    rows = [_row(session, connection, thread) for connection, thread in found[start : start + count]]
    answer: dict[str, Any] = {"threads": rows, "count": len(rows)}
    if len(rows) < len(found):
        answer["total"] = len(found)
    if left := len(found) - start - len(rows):
        notice = f"{left} more: page with `start` and `count`; explain_hang folds those that stand alike"
        answer["truncation"] = {"omittedCount": max(left, 0), "valueTruncatedCount": 0, "notice": notice}
    if note := await _unlisted(session, len(found)):
        answer["note"] = note
    return answer


def _row(session: Session, connection: Connection, thread: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"id": looking.show_thread(session, connection, thread.id), "name": thread.name}
    stops = [stop for stop in session.stops if stop.connection is connection]
    mine = next((stop for stop in stops if stop.thread == thread.id), None)
    held = mine is not None or any(stop.all_threads for stop in stops)
    row["state"] = f"paused ({mine.reason})" if mine else "paused" if held else "running"
    row["process"] = connection.label or thread.process
    return row


async def _unlisted(session: Session, listed: int) -> str:
    """Say how many an engine keeps to itself that cuts its list."""
    stacks = session.adapter.stacks
    if stacks is None or not stacks.most or listed < stacks.most or not session.stops:
        return ""
    try:
        told = (await ask_value(session.stops[0].connection, None, stacks.total, seconds=TOTAL_SECONDS)).result
        total = int(told.split(" ")[0])
    except (DapwrightError, ValueError):
        return f"{session.adapter.engine} lists no more than {listed} {stacks.unit}s; there may be others"
    others = f"{session.adapter.engine} lists {listed} of {total} {stacks.unit}s, its own runtime's counted"
    return others if total > listed else ""
