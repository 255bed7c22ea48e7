"""From the rows of a second run: which statement gave a value last, from what, and who gave that.

Rule: a link stands on a row, and where a row tells the value that it handed on, on that value too.
What no row shows is said to be unknown.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dapwright.core.assignments import Search, Wanted, Write, place_of, root_of
from dapwright.core.scopes import Program, qualified

HERE = "here"
"""The probe where the first run stands."""
CHAIN, PASSES = 10, 2
"""Links in all, and of one statement: a loop that adds to a sum is told by its last passes."""
UNKNOWN = 4
UNSET = ("<error: NameError", "<error: UnboundLocalError", "<error: AttributeError")
"""How a name that had no value before its assignment shows."""
Row = Mapping[str, Any]


@dataclass(slots=True)
class _Question:
    """What was read, by which row, and as what."""

    wanted: Wanted
    after: int
    before: int
    value: str = ""
    """Its text, where it is known."""
    owner: str = ""
    place: str = ""
    exact: bool = True
    """What is found must be this value; else it went into it."""


@dataclass(slots=True)
class Lineage:
    """The links from a value back, the last write first, and what could not be known."""

    links: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    unknown: list[str] = field(default_factory=list[str])


def captures(write: Write) -> tuple[str, ...]:
    """What a probe on a statement looks at."""
    roots = [root_of(one) for one in (write.target, *write.inputs)]
    bases = [f"id({one.rpartition('.')[0]})" for one in roots if "." in one]
    places = [place_of(one) for one in write.inputs]
    own = () if write.how in ("argument", "returned") else (write.target,)
    return tuple(dict.fromkeys(filter(None, (*own, *write.inputs, *bases, *places, write.value, write.place))))


def captures_here(expression: str, root: str) -> tuple[str, ...]:
    """What the probe where the program stands looks at."""
    base = f"id({root.rpartition('.')[0]})" if "." in root else ""
    return tuple(dict.fromkeys(filter(None, (expression, base, place_of(expression)))))


def trace(
    found: Search, rows: Sequence[Row], program: Program, *, expression: str, root: str, value: str
) -> Lineage | None:
    """Follow a value back. None where the second run never came to the same place with the same value."""
    end = _where(rows, expression, value)
    if end is None:
        return None
    here = next(row for row in rows[end:] if row["probe"] == HERE)["values"]
    owner = here.get(f"id({root.rpartition('.')[0]})", "") if "." in root else ""
    place = here.get(place_of(expression), "")
    plain = root == expression.strip() or bool(place)
    first = _Question(found.wanted, -1, end, value if plain else "", owner, place, exact=plain)
    return _Tracing(found, rows, program).follow(first)


def same(one: str | None, other: str) -> bool:
    """Whether two texts of a value are of one value, addresses left out."""
    return one is not None and (one == other or one.split(" at 0x")[0] == other.split(" at 0x")[0])


def _where(rows: Sequence[Row], expression: str, value: str) -> int | None:
    """The last row at the stop's own line that shows the same value; else, after the stop crashed, the end."""
    alike = [
        index for index, row in enumerate(rows) if row["probe"] == HERE and same(row["values"].get(expression), value)
    ]
    if not alike:
        return None
    end, line = alike[-1], rows[alike[-1]]["line"]
    while end and rows[end - 1]["line"] == line and rows[end - 1]["probe"] != HERE:
        end -= 1  # an assignment on the very line of the stop: it has not run yet
    return end


@dataclass(slots=True)
class _Tracing:
    found: Search
    rows: Sequence[Row]
    program: Program

    def follow(self, first: _Question) -> Lineage:
        told, waiting, seen = Lineage(), [first], Counter[tuple[int, str]]()
        passes = Counter[str]()
        later: list[_Question] = []
        while (waiting or later) and len(told.links) < CHAIN:
            asked = (waiting or later).pop(0)
            match = self._find(asked)
            if match is None:
                if said := self._unknown(asked):
                    told.unknown = list(dict.fromkeys([*told.unknown, said]))[:UNKNOWN]
                continue
            index, write = match
            probe = str(self.rows[index]["probe"])
            if seen[index, write.target] or passes[probe] >= PASSES:
                continue
            seen[index, write.target] += 1
            passes[probe] += 1
            link = self._link(asked, index, write)
            earlier = sum(row["probe"] == probe for row in self.rows[:index])
            if passes[probe] == 1 and earlier > 1:
                link["passesBefore"] = earlier
            told.links.append(link)
            for cause in self._causes(asked, index, write):
                (later if cause.wanted == write.gives else waiting).append(cause)  # what it was before says least
        return told

    def _find(self, asked: _Question) -> tuple[int, Write] | None:
        """The row that gave a value: the last before it was read; of what a call returned, the first that fits."""
        writes = {str(n): one for n, one in enumerate(self.found.writes) if one.gives == asked.wanted}
        if not writes:
            return None
        order = range(asked.before - 1, asked.after, -1)
        if asked.wanted.kind == "result":
            order = range(asked.after + 1, asked.before)
        for index in order:
            row = self.rows[index]
            write = writes.get(str(row["probe"]))
            if write is not None and self._fits(asked, write, row["values"]):
                return index, write
        return None

    def _fits(self, asked: _Question, write: Write, values: Mapping[str, str]) -> bool:
        told = values.get(write.value) if write.value else None
        if asked.exact and asked.value and told is not None and not same(told, asked.value):
            return False
        if asked.owner and write.base and values.get(f"id({write.base})", asked.owner) != asked.owner:
            return False
        return not (asked.place and write.place and values.get(write.place) != asked.place)

    def _link(self, asked: _Question, index: int, write: Write) -> dict[str, Any]:
        values = self.rows[index]["values"]
        item = f"[{asked.place}]" if asked.place and write.how == "element" else ""
        told: dict[str, Any] = {"target": write.target + item, "how": write.how}
        became = asked.value if asked.exact else values.get(write.value, "") if write.value else ""
        if became:
            told["became"] = became
        was = values.get(write.target) if write.how in ("assigned", "element") and not item else None
        if was is not None and not was.startswith(UNSET):
            told["was"] = was
        told |= {"file": write.scope.file, "line": write.line, "function": write.scope.name}
        told["statement"] = write.statement
        told["from"] = {name: values.get(name, "?") for name in write.inputs if name != write.target}
        return told

    def _causes(self, asked: _Question, index: int, write: Write) -> list[_Question]:
        """What the statement read: what functions called there gave back, then its names and attributes."""
        values = self.rows[index]["values"]
        exact = write.whole and asked.exact and bool(asked.value)
        causes = [_Question(one, index, asked.before, asked.value, exact=exact) for one in write.results]
        for name, wanted in zip(write.inputs, write.reads, strict=True):
            if asked.place and wanted == write.gives:
                continue  # what else the container held does not matter
            root, text = root_of(name), values.get(name, "")
            owner = values.get(f"id({root.rpartition('.')[0]})", "") if "." in root else ""
            text = "" if text.startswith("<error: ") else text
            place = values.get(place_of(name), "")
            causes.append(_Question(wanted, -1, index, text, owner, place))
        return causes

    def _unknown(self, asked: _Question) -> str:
        """Why nothing was found, where that matters: names of modules, classes and built-ins do not."""
        wanted = asked.wanted
        known = [one for one in self.found.writes if one.gives == wanted]
        if wanted.kind == "result":
            return f"what `{qualified(wanted.scope)}` returned was not seen" if known and wanted.scope else ""
        if wanted.kind == "attribute":
            files = len(self.program.files)
            return "" if known else f"no statement of the {files} files that were read assigns `.{wanted.name}`"
        assert wanted.scope is not None
        if wanted.name in self.program.parameters(wanted.scope):
            return (
                f"`{wanted.name}` was handed to `{wanted.scope.name}` by a default, by code that is not the program's, "
                "or in a way that its text does not show"
            )
        return f"`{wanted.name}` was assigned before the run could be looked at" if known else ""
