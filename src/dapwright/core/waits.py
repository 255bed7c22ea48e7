"""Who waits for whom: the graph of threads or tasks that a program tells, and its cycles."""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def holder(row: Row, others: Sequence[Row]) -> Row | None:
    """The thread or task that the one of `row` waits for; None where that is not known."""
    wait = row.get("wait")
    if not wait:
        return None
    wanted = wait.get("owner") or wait.get("thread")
    for other in others:
        if wanted is not None and other["ident"] == wanted:
            return other
    for other in others:
        if other["ident"] in (wait.get("tasks") or ()):
            return other
    if wait.get("id") is None:
        return None
    return next((o for o in others if o is not row and str(wait["id"]) in (o.get("held") or {})), None) or (
        row if str(wait["id"]) in (row.get("held") or {}) and wait.get("kind") in ("lock", "Lock", "mutex") else None
    )


def waiting_for(row: Row, others: Sequence[Row]) -> str:
    """What one waits for, in words; "" where it does not wait."""
    wait = row.get("wait")
    if not wait:
        return ""
    said = f"{wait['kind']} {wait.get('for') or ''}".strip()
    owner = holder(row, others)
    if owner is row:
        return f"{said}, which it holds itself"
    if owner is None:
        return said
    verb = "which is" if wait["kind"] == "thread" or wait.get("tasks") else "held by"
    return f"{said}, {verb} {owner['name']}"


def cycles(rows: Sequence[Row]) -> list[str]:
    """Every circle of waits, each told once."""
    told, seen = [], set()
    for row in rows:
        path: list[Row] = []
        at: Row | None = row
        while at is not None and at not in path and at["ident"] not in seen:
            path.append(at)
            at = holder(at, rows)
        if at is not None and at in path:
            circle = path[path.index(at) :]
            told.append(_circle(circle))
            seen |= {one["ident"] for one in circle}
    return told


def _circle(circle: Sequence[Row]) -> str:
    steps = []
    for one, other in zip(circle, [*circle[1:], circle[0]], strict=True):
        wait = one["wait"]
        place = f"{str(wait.get('file') or one.get('file')).rsplit('/', 1)[-1]}:{wait.get('line') or one.get('line')}"
        held = (other.get("held") or {}).get(str(wait.get("id")))
        since = f", held by {other['name']} as `{held['lock']}`" if held else f", held by {other['name']}"
        if one is other:
            since = ", which it holds itself"
        steps.append(f"{one['name']} waits at {place} for {wait['kind']} `{wait.get('for', '')}`{since}")
    return "; ".join(steps)
