"""Who waits for whom: the graph of threads or tasks that a program tells, its cycles, and the verdict.

A row is a thread or a task: `ident`, `name`, `function`, `file`, `line`, `stack` (rows of frames),
`state` (an engine's word), `busy` (its share of a processor), `ran` (it ran code at each of so many looks),
`held` ({identity: {lock}}) and `wait` ({kind, for, id, detail, owner, thread, tasks, file, line}).
All but `ident` and `name` may be left out.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from dapwright.core.bodies import Body

Row = Mapping[str, Any]
NAMED = 5
"""Threads that a verdict names."""


class Told(Body):
    """What an engine answers to `dapwright/waits`."""

    threads: list[dict[str, Any]] = []
    paused: bool = False
    """It stood when it was asked: what runs was seen at one place alone."""
    note: str = ""


class Seen(Struct, frozen=True):
    """What a look at a program saw, whoever looked."""

    threads: Sequence[Row]
    tasks: Sequence[Row] = ()
    paused: bool = False
    notes: Sequence[str] = ()
    unit: str = "thread"
    unseen: int = 0
    """Threads that are there, and were not looked at."""
    moves: frozenset[str] | None = None
    """Kinds of waits that end without another thread's doing; None where a kind does not tell that."""
    grouped: bool = False
    """There may be thousands: those that stand alike are to be one row."""


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


def place(row: Row) -> str:
    """Function, file and line in short."""
    file = re.split(r"[\\/]", str(row.get("file", "?")))[-1]
    return f"{row.get('function', '?')} {file}:{row.get('line', '?')}"


def verdict(seen: Seen) -> str:
    """In one sentence, why nothing moves."""
    rows = seen.threads
    if circles := cycles(rows) + cycles(seen.tasks):
        return "deadlock: " + "; ".join(circles)
    if busy := [row for row in rows if row.get("busy", 0) > 0 or row.get("ran")]:
        return "busy, not waiting: " + _listed([f"{row['name']} at {place(row)} ({_work(row)})" for row in busy])
    runs = _listed([f"{row['name']} at {place(row)}" for row in rows if row.get("state") == "running"])
    if runs and seen.paused:
        return f"no cycle was found; the program is paused, and these ran when it was: {runs}"
    if seen.moves is not None:
        if runs:
            return f"no cycle was found; {runs} runs, or could: nothing else was seen to hold the program up"
        kinds = {(row.get("wait") or {}).get("kind") for row in rows}
        if rows and not seen.unseen and not kinds & seen.moves:
            one, many = f"the program's only {seen.unit} waits", f"all {len(rows)} {seen.unit}s of the program wait"
            said = many if len(rows) > 1 else one
            return f"deadlock: {said} for another, and none is left to wake one (but for a timer)"
    return "no cycle was found, and nothing is busy: it waits for what is listed"


def _listed(said: Sequence[str]) -> str:
    more = f" and {len(said) - NAMED} more" if len(said) > NAMED else ""
    return ", ".join(said[:NAMED]) + more


def _work(row: Row) -> str:
    """How a thread is known to be busy."""
    if row.get("ran"):
        return f"it ran code at each of {row['ran']} looks"
    return f"it used {row['busy']:.0%} of a processor"


def grouped(rows: Sequence[Row], unit: str) -> list[Row]:
    """One row for those that stand alike, what is busy and what holds a lock first, then the rare ones."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        wait = row.get("wait") or {}
        held = tuple(row.get("held") or ())
        where = (row.get("function"), row.get("file"), row.get("line"))
        alike = (*where, wait.get("kind"), wait.get("id") if held else "", held)
        groups.setdefault(alike, []).append(row)
    shown = sorted(groups.values(), key=lambda same: (not same[0].get("busy"), not same[0].get("held"), len(same)))
    return [same[0] if len(same) == 1 else {**same[0], "name": _names(same, unit)} for same in shown]


def _names(rows: Sequence[Row], unit: str) -> str:
    numbers = ", ".join(str(row["name"]).split(" ")[-1] for row in rows[:5])
    return f"{len(rows)} {unit}s: {numbers}" + (", ..." if len(rows) > 5 else "")
