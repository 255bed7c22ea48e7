"""How places in a file are told: numbered lines, candidates, the nearest texts."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from heapq import nlargest
from itertools import islice

from dapwright.core.source import Function, SourceFile

LISTED = 20
"""Candidates that an answer lists; more are counted."""
AROUND = 2
"""Neighbours shown above and below a line."""
QUOTED = 6
"""Lines of a statement that are quoted back."""
WIDTH = 160
"""Characters of a line that are shown."""
MOST = 5000
"""Lines with one of the words that are weighed: a word on more lines than that tells little."""
ALIKE = 0.6
"""From which likeness (difflib's ratio) on a line is worth showing."""


def shown(file: SourceFile, line: int) -> str:
    """Return a line's text as it is quoted: without blanks around it, tabs inside made visible as `\\t`, cut."""
    text = file.line(line).strip()
    text = text.replace("\t", "\\t")
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def clipped(text: str) -> str:
    """Return a text that was asked for as it is quoted back: its first lines, cut."""
    rows = [row if len(row) <= WIDTH else row[: WIDTH - 3] + "..." for row in text.splitlines()]
    more = [f"... and {len(rows) - QUOTED} more lines"] if len(rows) > QUOTED else []
    return "\n".join(rows[:QUOTED] + more)


def listed(file: SourceFile, lines: Sequence[int]) -> str:
    """Write lines as `number: content`, one under the other, at most twenty."""
    rows = [f"  {line}: {shown(file, line)}" for line in lines[:LISTED]]
    if len(lines) > LISTED:
        rows.append(f"  and {len(lines) - LISTED} more")
    return "\n".join(rows)


def neighbours(file: SourceFile, line: int, around: int = AROUND) -> str:
    """Write the lines around one, numbered, that one marked."""
    first, last = max(1, line - around), min(len(file.lines), line + around)
    return "\n".join(
        f"{'>' if n == line else ' '} {n}: {file.line(n).rstrip()[:WIDTH]}" for n in range(first, last + 1)
    )


def definitions(functions: Iterable[Function]) -> str:
    """Write functions as `number: name`, one under the other, at most twenty."""
    rows = [f"  {f.line}: {f.qualified}" for f in functions]
    more = [f"  and {len(rows) - LISTED} more"] if len(rows) > LISTED else []
    return "\n".join(rows[:LISTED] + more)


def squeezed(text: str) -> str:
    """Return a text without its blanks, to tell whether two differ in nothing else."""
    return "".join(text.split())


def nearest(file: SourceFile, text: str, lines: Iterable[int], count: int = 5) -> list[int]:
    """Return the lines most like a text, best first.

    The likeness proper costs some 50 microseconds a line, so of many lines it is asked only for those that share words.
    """
    asked = list(lines)
    if len(asked) > 300:
        asked = sharing_words(file, text, asked[0], asked[-1])
    matcher = SequenceMatcher(b=text[:WIDTH])
    scored = []
    for n in asked:
        matcher.set_seq1(file.line(n).strip()[:WIDTH])
        if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE:
            scored.append((matcher.ratio(), -n))
    return [-n for ratio, n in sorted(scored, reverse=True)[:count] if ratio >= ALIKE]


def sharing_words(file: SourceFile, text: str, first: int, last: int) -> list[int]:
    """Return the lines that share most words with a text, of the lines from one to another."""
    words = sorted(set(re.findall(r"\w+", text)), key=len)[-6:]
    shared: Counter[int] = Counter()
    for word in words:
        shared.update(islice(file.occurrences(word, (first, last)), MOST))
    return nlargest(200, shared, key=lambda n: (shared[n], -n))
