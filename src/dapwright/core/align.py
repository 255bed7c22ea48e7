"""Two runs side by side: how far they agree, and where they first differ."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dapwright.core.calls import Call, flat

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b|(?<=\w)@\d+\b")
"""Addresses, and the numbers that a JVM gives to objects (`Cart@17`)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two runs part: at which call, under which callers, and in what."""

    agreed: int
    """Calls that were the same in both before it."""
    path: tuple[str, ...]
    what: str
    """`argument`, `returned`, `raised`, `changed`, `called`, `only in a`, `only in b`."""
    a: Call | None
    b: Call | None
    names: tuple[str, ...] = ()
    """The arguments or attributes that differ."""


def same(one: str, other: str) -> bool:
    """Two values as text are the same; addresses of objects are not compared."""
    return one == other or _ADDRESS.sub("0x", one) == _ADDRESS.sub("0x", other)


Flat = Sequence[tuple[tuple[Call, ...], Call]]


def first_difference(a: Sequence[Call], b: Sequence[Call]) -> Difference | None:
    """The first event that differs, in the order of events: arguments as calls begin, results as they end."""
    ones, others = list(flat(a)), list(flat(b))
    end = min(len(ones), len(others))
    began: Difference | None = None
    for index in range(end):
        (path, one), (_, other) = ones[index], others[index]
        names = tuple(n for n, text in one.arguments.items() if not same(text, other.arguments.get(n, "")))
        if one.name != other.name or names:
            what = "argument" if one.name == other.name else "called"
            began, end = Difference(index, _names(path), what, one, other, names), index
            break
    if began is None and len(ones) != len(others):
        longer = ones if len(ones) > len(others) else others
        path, call = longer[end]
        mine = longer is ones
        began = Difference(
            end, _names(path), f"only in {'a' if mine else 'b'}", *((call, None) if mine else (None, call))
        )
    return _ended(ones, others, end) or began


def _ended(ones: Flat, others: Flat, end: int) -> Difference | None:
    """The first call to end otherwise, of those that began before `end` and were over by then."""
    still: set[int] = set()
    for side in (ones, others):
        if end < len(side):
            position = {call.number: index for index, (_, call) in enumerate(side)}
            still |= {position[call.number] for call in side[end][0]}
    differing = []
    for index in range(end):
        (path, one), (_, other) = ones[index], others[index]
        if index not in still and (what := _end(one, other)):
            differing.append((index, path, one, other, what))
    for index, path, one, other, what in differing:
        if any(one in inner for _, inner, *_ in differing):
            continue  # a call within it ended otherwise before
        names = tuple(n for n in one.changed if one.changed[n] != other.changed.get(n)) if what == "changed" else ()
        return Difference(index, _names(path), what, one, other, names)
    return None


def _names(path: Sequence[Call]) -> tuple[str, ...]:
    return tuple(call.name for call in path)


def _end(one: Call, other: Call) -> str:
    if one.ended != other.ended or not same(one.value, other.value):
        return "raised" if "raise" in (one.ended, other.ended) else "returned"
    mine, theirs = ({n: str(v) for n, v in call.changed.items()} for call in (one, other))
    return "changed" if any(not same(mine.get(n, ""), theirs.get(n, "")) for n in {*mine, *theirs}) else ""
