"""Which variables of a frame matter first: those that its statement names, then what these were made of.

By the text alone, so that it is the same in every language; it orders, and leaves nothing out.
"""

import re
from collections.abc import Iterable, Sequence

from dapwright.core.lazy import regex

WORD = regex(r"[A-Za-z_$][\w$]*")
QUOTED = regex(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
CALLED = regex(r"(?<![\w.])((?:[^\W\d]\w*\.)*[^\W\d]\w*)\(")
EVERYONES = frozenset(
    "assert not and or in is if elif while return print len str repr list dict set sorted isinstance".split()  # noqa: SIM905
)
ABOVE = 60
"""Lines above the statement in which an assignment is looked for."""
REASON = 3
"""Lines above a statement that names no variable."""
BELOW = 12
"""Lines that one statement may go on for."""


def order(held: Iterable[str], lines: Sequence[str], line: int) -> list[str]:
    """Sort a frame's names for a stop at `line` (1-based) of `lines`; those that do not matter keep their order."""
    listed = list(held)
    known = set(listed)
    if not 0 < line <= len(lines):
        return listed
    first: list[str] = []
    for start in range(line, max(0, line - 1 - REASON), -1):
        first = names(" ".join(statement(lines, start)))
        if not known.isdisjoint(first):
            break  # a `raise` names nothing: what stands above it says why
    made = re.compile(r"^\s*(?:\w+[\s&*]+)?([A-Za-z_$][\w$]*)\s*(?::\s*[\w\[\], .|]+)?(?::=|[-+*/|&]?=)(?!=)(.*)")
    second: list[str] = []
    for text in lines[max(0, line - 1 - ABOVE) : line - 1]:
        found = made.match(text)
        if found and found[1] in first:
            second += names(found[2])
    rank = {name: place for place, name in reversed(list(enumerate([*first, *second])))}
    return sorted(listed, key=lambda name: rank.get(name, len(rank) + len(first) + len(second)))


def statement(lines: Sequence[str], line: int) -> list[str]:
    """The lines of a statement from `line` on, by its brackets."""
    taken: list[str] = []
    depth = 0
    for text in lines[line - 1 : line - 1 + BELOW]:
        taken.append(text)
        bare = QUOTED.sub("", text)
        depth += sum(bare.count(mark) for mark in "([{") - sum(bare.count(mark) for mark in ")]}")
        if depth <= 0:
            break
    return taken


def called(text: str) -> list[str]:
    """The functions that a line calls, as it names them, in their order; those of every program left out."""
    return list(dict.fromkeys(name for name in CALLED.findall(QUOTED.sub("", text)) if name not in EVERYONES))


def names(text: str) -> list[str]:
    """The names in a text, each once, in their order; those in quotes left out."""
    return list(dict.fromkeys(WORD.findall(QUOTED.sub("", text))))
