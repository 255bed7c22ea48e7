"""Source maps in class files (JSR 45): the lines of the class, as lines of its real sources.

Kotlin gives code inlined into a class line numbers past the end of its file; the map tells
which file and line each stands for. Its first stratum (`Kotlin`) is the one that maps to
where code was written; `KotlinDebug` maps to where it was inlined.
"""

import re
from itertools import takewhile

from msgspec import Struct, field

LINE = re.compile(r"(\d+)(?:#(\d+))?(?:,(\d+))?:(\d+)(?:,(\d+))?")


class Range(Struct, frozen=True):
    """Lines of the class from `start`, each `step` of them one line of file `file` from `line`."""

    start: int
    count: int
    step: int
    file: str
    line: int


class SourceMap(Struct, frozen=True):
    """A class's map; `files` are the paths (or names) of the sources that it names."""

    ranges: tuple[Range, ...] = ()
    files: tuple[str, ...] = ()
    call_sites: tuple[Range, ...] = field(default=())

    def place(self, line: int) -> tuple[str, int] | None:
        """Return (file, line) of a line of the class; None where the map is silent."""
        return _find(self.ranges, line)

    def call_site(self, line: int) -> tuple[str, int] | None:
        """Return where the code of `line` was inlined."""
        return _find(self.call_sites, line)


def _find(ranges: tuple[Range, ...], line: int) -> tuple[str, int] | None:
    for piece in ranges:
        if piece.start <= line < piece.start + piece.count * piece.step:
            return piece.file, piece.line + (line - piece.start) // piece.step
    return None


def read_map(text: str) -> SourceMap:
    """Read a `SourceDebugExtension`; anything else than a map gives an empty one."""
    if not text.startswith("SMAP"):
        return SourceMap()
    strata: dict[str, SourceMap] = {}
    order: list[str] = []
    for section in re.split(r"(?m)^\*S ", text)[1:]:
        name, _, rest = section.partition("\n")
        strata[name.strip()] = _read_stratum(rest)
        order.append(name.strip())
    main = next((name for name in order if name != "KotlinDebug"), None)
    if main is None:
        return SourceMap()
    calls = strata.get("KotlinDebug", SourceMap())
    return SourceMap(strata[main].ranges, strata[main].files, calls.ranges)


def _read_stratum(text: str) -> SourceMap:
    lines = text.splitlines()
    files: dict[int, str] = {}
    if "*F" in lines:
        rows = list(takewhile(lambda row: not row.startswith("*"), lines[lines.index("*F") + 1 :]))
        at = 0
        while at < len(rows):
            named = rows[at].startswith("+ ")
            number, _, name = rows[at].removeprefix("+ ").partition(" ")
            path = rows[at + 1] if named and at + 1 < len(rows) else name
            if number.isdigit():
                # Kotlin gives the class's internal name as path: its package is right, its last part is not a file.
                files[int(number)] = f"{path.rpartition('/')[0]}/{name}".lstrip("/") if named else name
            at += 2 if named else 1
    ranges = _read_lines(lines, files)
    return SourceMap(tuple(ranges), tuple(dict.fromkeys(files.values())))


def _read_lines(lines: list[str], files: dict[int, str]) -> list[Range]:
    if "*L" not in lines:
        return []
    ranges, file = [], min(files, default=1)
    for row in takewhile(lambda row: not row.startswith("*"), lines[lines.index("*L") + 1 :]):
        shape = LINE.fullmatch(row.strip())
        if shape is None:
            continue
        file = int(shape[2]) if shape[2] else file
        count, step = int(shape[3] or 1), int(shape[5] or 1)
        ranges.append(Range(int(shape[4]), count, step, files.get(file, ""), int(shape[1])))
    return ranges
