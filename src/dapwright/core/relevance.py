"""Which variables of a frame matter first: those that its statement names, then what these were made of.

By the text alone, so that it is the same in every language; it orders, and leaves nothing out.
"""

import re
from collections.abc import Iterable, Sequence

WORD = re.compile(r"[A-Za-z_$][\w$]*")
QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
ABOVE = 60
"""Lines above the statement in which an assignment is looked for."""
REASON = 3
"""Lines above a statement that names no variable."""
BELOW = 12
"""Lines that one statement may go on for."""


def order(names: Iterable[str], lines: Sequence[str], line: int) -> list[str]:
    """Sort a frame's names for a stop at `line` (1-based) of `lines`; those that do not matter keep their order."""
    listed = list(names)
    known = set(listed)
    if not 0 < line <= len(lines):
        return listed
    first: list[str] = []
    for start in range(line, max(0, line - 1 - REASON), -1):
        first = _words(" ".join(statement(lines, start)))
        if not known.isdisjoint(first):
            break  # a `raise` names nothing: what stands above it says why
    made = re.compile(r"^\s*(?:\w+[\s&*]+)?([A-Za-z_$][\w$]*)\s*(?::\s*[\w\[\], .|]+)?(?::=|[-+*/|&]?=)(?!=)(.*)")
    second: list[str] = []
    for text in lines[max(0, line - 1 - ABOVE) : line - 1]:
        found = made.match(text)
        if found and found[1] in first:
            second += _words(found[2])
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


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(WORD.findall(QUOTED.sub("", text))))
