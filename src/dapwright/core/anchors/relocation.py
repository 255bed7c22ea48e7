"""Find an anchor again in a file that was edited: by its surroundings, or not at all; never silently elsewhere.

Text alone cannot always tell a line from its twin: of two copies whose neighbours were edited, either may be the old
one. So a line wins only if what speaks for it is enough, and nothing speaks as much for another; else it is ambiguous.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from dapwright.core.anchors.search import Found, search, wanted
from dapwright.core.anchors.words import clipped, nearest, shown
from dapwright.core.source import Function, Structure

REACH = 3
"""Lines of code above and below that are kept with an anchor."""

GRACE = 2
"""How many of these may differ where the line is told from twins that nothing speaks for."""


COMPARED = 200
"""Equal lines whose surroundings are compared when one is anchored."""


class Surroundings(Struct, frozen=True):
    """What stood around an anchored line: enough to know it again among equal lines."""

    function: str
    """The qualified name of the function, "" for the module's own lines."""
    above: tuple[str, ...]
    """The code of the lines above, the closest first."""
    below: tuple[str, ...]
    ordinal: int
    """How many equal lines stand above it in the same function."""
    twins: int
    """How many equal lines the function has, itself included."""
    total: int
    """How many the file has."""
    exact: bool
    """The anchor was a whole line, not a part of one."""
    body: str
    """A digest of the function's text, indentation and blank lines aside."""
    silent: int = 0
    """How many lines say the same within a literal or a comment."""
    homes: tuple[str, ...] = ()
    """The functions of all equal lines of the file, from its top on."""
    alone: bool = True
    """No equal line stood in surroundings like these."""


class Relocation(Struct, frozen=True):
    """Where an anchor is now."""

    line: int | None
    """None where it is gone, or ambiguous."""
    candidates: tuple[tuple[int, str], ...]
    """(line, content): every match where there are several, the nearest texts where there is none."""
    reason: str
    status: Literal["same", "moved", "ambiguous", "gone"]
    exact: bool = True
    """False where a whole line was anchored, and only a part of one says so now."""


def surroundings(structure: Structure, line: int, statement: str = "") -> Surroundings:
    """Describe what stands around a line that was anchored by `statement` (by its own text, where that is left out)."""
    asked = statement or structure.file.line(line)
    search = found(structure, asked)
    matches = search.lines
    function = structure.function_at(line)
    names = homes(structure, matches)
    twins = [n for n, home in zip(matches, names, strict=True) if home == (function.qualified if function else "")]
    around = Surroundings(
        function.qualified if function else "",
        neighbours(structure, line, -1),
        neighbours(structure, line, 1),
        sum(n < line for n in twins),
        max(1, len(twins)),
        max(1, len(matches)),
        search.exact,
        digest(structure, function),
        len(whispers(structure, asked, search)),
        names,
    )
    return replace(around, alone=alone(structure, line, matches, around))


def homes(structure: Structure, lines: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the functions that hold lines."""
    return tuple(name(structure, n) for n in lines)


def alone(structure: Structure, line: int, matches: Sequence[int], around: Surroundings) -> bool:
    """Tell whether no equal line stands in surroundings like a line's, so that these will tell it from the others."""
    if len(matches) > COMPARED:
        return False
    return all(likeness(structure, n, around) <= GRACE for n in matches if n != line)


def found(structure: Structure, statement: str) -> Found:
    """Search for a statement as it was searched for first."""
    return search(structure, wanted(structure.file, statement))


def says(structure: Structure, line: int, statement: str) -> bool:
    """Tell whether a line is one that a statement names."""
    return line in found(structure, statement).lines


def neighbours(structure: Structure, line: int, step: int) -> tuple[str, ...]:
    """Return the code of the nearest lines above (step -1) or below (1); comments and blank lines do not count."""
    texts: list[str] = []
    line += step
    while 1 <= line <= len(structure.file.lines) and len(texts) < REACH:
        if code := structure.code(line).strip():
            texts.append(code)
        line += step
    return tuple(texts)


def digest(structure: Structure, function: Function | None) -> str:
    """Return a digest of a function's code; of the whole file's for the module's own lines."""
    first, last = (function.first, function.last) if function else (1, len(structure.file.lines))
    code = blake2b(digest_size=12)
    for text in structure.file.lines[first - 1 : last]:
        if stripped := text.strip():
            code.update(stripped.encode("utf-8", "replace") + b"\n")
    return code.hexdigest()


def relocate(structure: Structure, *, statement: str, surroundings: Surroundings, old_line: int) -> Relocation:
    """Find an anchored line again in the file as it is now."""
    matches = found(structure, statement)
    if not matches.lines:
        return gone(structure, statement, matches)
    pairs = tuple((n, structure.file.line(n).strip()) for n in matches.lines)
    if hidden := swallowed(structure, statement, surroundings, matches):
        reason = f"line {hidden} says so too, inside a literal or a comment: the anchor may be there"
        return Relocation(None, pairs, reason, "ambiguous")
    if surroundings.exact and not matches.exact:
        return edited(structure, statement, surroundings, pairs, old_line)
    line, reason = choose(structure, list(matches.lines), surroundings, old_line)
    if line is None:
        return Relocation(None, pairs, reason, "ambiguous")
    several = pairs if len(pairs) > 1 else ()
    return Relocation(line, several, reason, "same" if line == old_line else "moved")


def edited(
    structure: Structure, statement: str, old: Surroundings, pairs: tuple[tuple[int, str], ...], old_line: int
) -> Relocation:
    """Follow a statement that was added to; only to a line that stands where it stood."""
    enough = max(2, len(old.above) + len(old.below) - GRACE)
    alike = [n for n, _ in pairs if name(structure, n) == old.function and likeness(structure, n, old) >= enough]
    if len(alike) != 1 or old.total > 1:
        listed = ", ".join(str(n) for n, _ in pairs[:5])
        reason = f"no whole line says `{clipped(statement.strip())}` any more; as a part it is on {listed}"
        return Relocation(None, pairs, reason, "gone", exact=False)
    line = alike[0]
    text = shown(structure.file, line)
    reason = f"no whole line says `{clipped(statement.strip())}` any more; line {line} holds it: `{text}`"
    return Relocation(line, (), reason, "same" if line == old_line else "moved", exact=False)


def swallowed(structure: Structure, statement: str, old: Surroundings, matches: Found) -> int:
    """Return a line with the text that an edit may have made part of a literal or a comment; 0 where there is none.

    An unclosed quote or `/*` takes in all that follows, and what it takes in was code before.
    """
    hidden = whispers(structure, statement, matches)
    broken = structure.file.language == "python" and not structure.whole.exact
    return hidden[0] if hidden and (broken or len(hidden) > old.silent) else 0


def whispers(structure: Structure, statement: str, matches: Found) -> list[int]:
    """Return the lines that say a statement's first line and nothing else, but are no code."""
    first = next(row.strip() for row in statement.splitlines() if row.strip())
    return [n for n in matches.silent if structure.file.line(n).strip() == first]


def gone(structure: Structure, statement: str, matches: Found) -> Relocation:
    """Report a statement that the file no longer has, with the texts nearest to it."""
    file = structure.file
    if matches.silent:
        line = matches.silent[0]
        reason = f"`{clipped(statement.strip())}` is only in a comment or a docstring now (line {line})"
        return Relocation(None, tuple((n, file.line(n).strip()) for n in matches.silent), reason, "gone")
    first = next(row.strip() for row in statement.splitlines() if row.strip())
    close = nearest(file, first, range(1, len(file.lines) + 1))
    told = f"; the nearest is {close[0]}: `{shown(file, close[0])}`" if close else ""
    reason = f"no line says `{clipped(statement.strip())}` any more{told}"
    return Relocation(None, tuple((n, file.line(n).strip()) for n in close), reason, "gone")


def choose(structure: Structure, lines: list[int], old: Surroundings, old_line: int) -> tuple[int | None, str]:
    """Pick the line that is the old one, with the reason; (None, why not) where that cannot be known."""
    if len(lines) == 1 and old.total == 1:
        return lines[0], "the only line that says so"
    home = [n for n in lines if name(structure, n) == old.function]
    scores = {n: likeness(structure, n, old) for n in lines}
    enough = max(2, len(old.above) + len(old.below) - GRACE)
    added = len(lines) > old.total and structure.broken  # which function holds which of them is a guess
    if len(home) == old.twins and home and not added:
        line = home[min(old.ordinal, len(home) - 1)]
        copies = [n for n in lines if n not in home and scores[n] >= enough] if len(lines) > old.total else []
        moved = not old.alone and homes(structure, lines) != old.homes
        if unchanged(structure, line, old) and not copies and not moved:
            return line, "its function is as it was"
    winners = [n for n in lines if scores[n] >= enough]
    rest = [n for n in lines if n not in winners]
    near = set(rest if len(lines) > old.total else home)
    rivals = [n for n in rest if scores[n] > GRACE or (n in near and close(structure, n, old))]
    renamed = not home and len(lines) == old.total and not structure.named(old.function) and not structure.broken
    # a copy, or a line that looked the same, may look more like the old line than itself, once that is edited
    copied = added or len(home) > old.twins or not old.alone
    if len(winners) == 1 and not rivals and not copied and (winners[0] in home or renamed):
        return winners[0], "the same lines around it"
    return None, told(lines, old)


def told(lines: list[int], old: Surroundings) -> str:
    """Say why none of several lines can be called the old one."""
    where = f"in `{old.function}`" if old.function else "at the top of the module"
    if len(lines) == 1:
        return f"one of {old.total} equal lines is left, in other surroundings than the anchor's ({where})"
    return f"{len(lines)} lines say so, and their surroundings do not tell which was meant ({where})"


def name(structure: Structure, line: int) -> str:
    """Return the qualified name of the function that holds a line."""
    function = structure.function_at(line)
    return function.qualified if function else ""


def unchanged(structure: Structure, line: int, old: Surroundings) -> bool:
    """Tell whether the line's function is what it was, and the only one of its name."""
    function = structure.function_at(line)
    if function and sum(f.qualified == function.qualified for f in structure.named(function.qualified)) > 1:
        return False
    return digest(structure, function) == old.body


def likeness(structure: Structure, line: int, old: Surroundings) -> int:
    """Count the lines around that are as they were: from the line outwards, until one differs."""
    return run(neighbours(structure, line, -1), old.above) + run(neighbours(structure, line, 1), old.below)


def close(structure: Structure, line: int, old: Surroundings) -> bool:
    """Tell whether the very next line of code, above or below, is what it was."""
    above, below = neighbours(structure, line, -1), neighbours(structure, line, 1)
    return above[:1] == old.above[:1] or below[:1] == old.below[:1]


def run(now: tuple[str, ...], before: tuple[str, ...]) -> int:
    """Count how many lines agree from the first on."""
    count = 0
    for one, other in zip(now, before, strict=False):
        if one != other:
            break
        count += 1
    return count
