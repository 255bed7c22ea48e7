"""Calls as a tree: made of the events that a tracer tells, folded where they repeat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FOLD = 4
"""Calls of one function in succession from which on they are folded."""


@dataclass(slots=True)
class Call:
    """One call, with those that it made."""

    number: int
    name: str
    file: str
    line: int
    arguments: Mapping[str, str]
    ended: str = "running"
    """`return`, `yield`, `raise`, or `running` where its end was not seen."""
    value: str = ""
    changed: Mapping[str, Sequence[str | None]] = field(default_factory=dict[str, Sequence[str | None]])
    calls: "list[Call]" = field(default_factory=list["Call"])


def tree(events: Sequence[Sequence[Any]]) -> list[Call]:
    """The calls that nobody in focus made, each with what it called."""
    known: dict[int, Call] = {}
    roots: list[Call] = []
    for event in events:
        if event[0] == "call":
            _, number, parent, name, file, line, arguments = event
            call = Call(number, name, file, line, arguments)
            known[number] = call
            (known[parent].calls if parent in known else roots).append(call)
        elif (ended := known.get(event[1])) is not None:
            ended.ended, ended.value, ended.changed = event[0], event[2], event[3]
    return roots


EMPTY = frozenset(["None", "{}", "()"])
"""What a parameter holds that nobody passed; an empty text or list may have been passed, and tell something."""
UNFILLED = EMPTY | {"[]", "set()", "False"}


def line_of(call: Call, limit: int = 100, *, terse: bool = False) -> str:
    """A call in one line: arguments, what came back, what it changed; `terse`: `…` for arguments that are empty."""
    given = {name: text for name, text in call.arguments.items() if name != "self"}
    kept = {name: text for name, text in given.items() if not terse or text not in EMPTY}
    words = [f"{name}={_short(text, limit)}" for name, text in kept.items()]
    arguments = ", ".join([*words, "…"] if len(kept) < len(given) else words)
    ends = {"return": "->", "yield": "yields", "raise": "raises"}
    end = f" {ends[call.ended]} {_short(call.value, limit)}" if call.ended in ends else " (not returned)"
    changed = "; ".join(_changes(call, limit, terse=terse))
    return f"{call.name}({arguments}){end}" + (f"  [{changed}]" if changed else "")


def _changes(call: Call, limit: int, *, terse: bool) -> Iterator[str]:
    """What a call changed; an attribute that was not there before is told without what it was.

    `terse`: an attribute that begins as nothing, or as the argument of its name, is left out.
    """
    for name, (old, new) in call.changed.items():
        if old is not None:
            yield f"self.{name}: {_short(old, limit)} -> {_short(str(new), limit)}"
        elif not terse or (new not in UNFILLED and new != call.arguments.get(name)):
            yield f"self.{name} = {_short(str(new), limit)}"


def lines(
    calls: Sequence[Call], *, indent: int = 0, fold: bool = True, limit: int = 100, terse: bool = False
) -> Iterator[str]:
    """The tree as text; calls of one function in succession are folded: the first, how many, the last."""

    def one(call: Call) -> Iterator[str]:
        yield f"{'  ' * indent}#{call.number} {line_of(call, limit, terse=terse)}"
        yield from lines(call.calls, indent=indent + 1, fold=fold, limit=limit, terse=terse)

    at = 0
    while at < len(calls):
        end = at
        while end < len(calls) and (calls[end].name, calls[end].line) == (calls[at].name, calls[at].line):
            end += 1
        alike = calls[at:end]
        if fold and len(alike) >= FOLD:
            yield from one(alike[0])
            yield f"{'  ' * indent}… {len(alike) - 2} more calls of {alike[0].name} (#{alike[1].number} to " + (
                f"#{alike[-2].number}): {_difference(alike, limit)}"
            )
            yield from one(alike[-1])
        else:
            for call in alike:
                yield from one(call)
        at = end


def _difference(alike: Sequence[Call], limit: int) -> str:
    """What changes among repeated calls."""
    said = []
    for name in alike[0].arguments:
        values = [call.arguments.get(name, "") for call in alike]
        if len(set(values)) > 1:
            said.append(f"{name} {_short(values[0], limit)} .. {_short(values[-1], limit)}")
    raised = [call for call in alike if call.ended == "raise"]
    if raised:
        said.append(f"{len(raised)} raise, first #{raised[0].number} {_short(raised[0].value, limit)}")
    returned = [call.value for call in alike if call.ended == "return"]
    if len(set(returned)) > 1:
        said.append(f"{len(set(returned))} different returns")
    return "; ".join(said) or "nothing changes"


def told(calls: Sequence[Call], most: int) -> list[dict[str, Any]]:
    """The tree as rows, outermost first, `depth` from 0; at most `most`, the rest counted by who reads."""
    rows: list[dict[str, Any]] = []

    def walk(call: Call, depth: int) -> None:
        row: dict[str, Any] = {"call": call.number, "depth": depth, "function": call.name, "line": call.line}
        row["args"] = {name: text for name, text in call.arguments.items() if name != "self"}
        row[{"return": "returned", "yield": "yielded", "raise": "raised"}.get(call.ended, "state")] = (
            call.value if call.ended != "running" else "running"
        )
        if call.changed:
            row["changed"] = dict(call.changed)
        rows.append(row)
        for inner in call.calls:
            walk(inner, depth + 1)

    for call in calls:
        walk(call, 0)
    return rows[:most]


def flat(calls: Sequence[Call], path: tuple[Call, ...] = ()) -> Iterator[tuple[tuple[Call, ...], Call]]:
    """Every call with those that led to it, in the order of their beginnings."""
    for call in calls:
        yield path, call
        yield from flat(call.calls, (*path, call))


def _short(text: str, limit: int) -> str:
    text = text.replace("\n", "␊")
    return text if len(text) <= limit else text[: limit - 1] + "…"
