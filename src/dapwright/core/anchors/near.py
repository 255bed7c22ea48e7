"""The functions that a name may have meant: what its refusal tells."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nsmallest
from itertools import islice

from dapwright.core.source import Function, Structure

NEAREST = 5
ALIKE = 0.5
"""From which likeness (difflib's ratio) on a name is near."""
WEIGHED = 400
"""Names that are weighed: each costs some microseconds."""
SOME = 21
"""Functions of a large file that are told where none is near: one more than is listed."""
DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.M)
WORD = re.compile(r"[^\W\d]\w*")


def near(structure: Structure, name: str) -> tuple[list[Function], list[Function]]:
    """Return the functions near a name, and where there are none some of those that there are.

    In a large file they are looked for by the words in its text, each near one then as a function: to read all that
    it defines takes seconds.
    """
    bare = re.split(r"\W+", name)[-1]
    if not structure.large:
        every = real(structure.functions)
        close = alike((f.qualified for f in every), name)
        return [f for f in every if f.name == bare] or [f for f in every if f.qualified in close], every
    found = real(structure.glimpsed(bare)) if bare else []
    if not found:
        words = set((DEFINED if structure.file.language == "python" else WORD).findall(structure.file.text))
        called = [f for word in alike(words, bare) for f in real(structure.glimpsed(word))]
        close = alike((f.qualified for f in called), name)
        found = sorted((f for f in called if f.qualified in close), key=lambda f: f.line)
    return found, [] if found else list(islice(structure.from_the_top(), SOME))


def real(functions: Iterable[Function]) -> list[Function]:
    """Leave out the classes."""
    return [f for f in functions if f.kind == "function"]


def alike(names: Iterable[str], asked: str) -> list[str]:
    """Return the names nearest to one, else some that hold it."""
    every = sorted(set(names))
    return (
        get_close_matches(asked, likely(every, asked), NEAREST, ALIKE)
        or [n for n in every if asked.lower() in n.lower()][:NEAREST]
    )


def likely(names: list[str], asked: str) -> list[str]:
    """Return the names that are worth weighing: of many those that begin or end as the asked one does."""
    if len(names) <= WEIGHED:
        return names
    found: list[str] = []
    for size in range(len(asked), 0, -1):
        head, tail = asked[:size], asked[-size:]
        found = [n for n in names if n.startswith(head) or n.endswith(tail)]
        if len(found) >= NEAREST:
            break
    return nsmallest(WEIGHED, found, key=lambda n: abs(len(n) - len(asked)))
