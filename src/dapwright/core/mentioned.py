"""Which names matter at a line of source: those in its statement first, then those in the lines just above it."""

import re
from collections.abc import Sequence

NAME = re.compile(r"[^\W\d]\w*")
CALLED = re.compile(r"(?<![\w.])((?:[^\W\d]\w*\.)*[^\W\d]\w*)\(")
ABOVE = 30
"""Lines above a statement that are looked at."""
LONGEST = 12
"""Lines that a statement may have."""
NOT_TELLING = frozenset({"assert", "not", "and", "or", "in", "is", "if", "elif", "while", "return"}) | {
    *("print", "len", "str", "repr", "list", "dict", "set", "sorted", "isinstance")
}


def statement(lines: Sequence[str], line: int) -> list[str]:
    """The lines of the statement that begins at `line` (1-based): as many as close its brackets."""
    found: list[str] = []
    for text in lines[line - 1 : line - 1 + LONGEST]:
        found.append(text)
        joined = "".join(found)
        if sum(joined.count(one) for one in "([{") <= sum(joined.count(one) for one in ")]}"):
            break
    return found


def ranks(lines: Sequence[str], line: int) -> dict[str, int]:
    """Each name with its rank at a line: smaller matters more; a name that stands nowhere near has none."""
    found: dict[str, int] = {}
    near = [statement(lines, line), *([text] for text in reversed(lines[max(0, line - 1 - ABOVE) : line - 1]))]
    for texts in near:
        for name in NAME.findall(" ".join(texts)):
            found.setdefault(name, len(found))
    return found


def called(text: str) -> list[str]:
    """The functions that a line calls, as it names them, in their order; those of every program left out."""
    names = [name for name in CALLED.findall(text) if name not in NOT_TELLING]
    return list(dict.fromkeys(names))
