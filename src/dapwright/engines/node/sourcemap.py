"""Source maps: where generated code came from. Pure.

A map is decoded where it is asked, not when it is loaded: a line when a position on it is wanted,
a source when its lines are wanted. Lines and columns are 0-based.
https://tc39.es/ecma426/
"""

import json
import posixpath
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

_DIGIT = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


class Segment(NamedTuple):
    """One mapping: a generated column, and its place in a source (`source` -1: none)."""

    column: int
    source: int
    line: int
    source_column: int
    name: int


class Place(NamedTuple):
    """A place in a source, by the source's index."""

    source: int
    line: int
    column: int
    name: str = ""


def decode_vlq(text: str) -> list[int]:
    """Return the numbers of one segment.

    Raises:
        ValueError: a character is no base-64 digit, or the last number is unfinished.
    """
    numbers, shift, value = [], 0, 0
    for character in text:
        digit = _DIGIT.get(character)
        if digit is None:
            raise ValueError(f"`{character}` is no digit of a source map")
        value |= (digit & 31) << shift
        if digit & 32:
            shift += 5
            continue
        numbers.append(-(value >> 1) if value & 1 else value >> 1)
        shift = value = 0
    if shift:
        raise ValueError("a source map's mapping ends within a number")
    return numbers


class SourceMap:
    """A map of one section: `sources` as written (with `sourceRoot`), `contents` beside them.

    The numbers are relative to all that came before, so a line's place is a sum: what a stretch of
    lines adds up to is counted by distinct segments, which repeat a hundredfold, and only the line
    that is asked for is decoded. A segment that cannot be read counts for nothing.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        root = raw.get("sourceRoot") or ""
        self.sources = [_under(root, s or "") for s in raw.get("sources") or []]
        self.contents: Sequence[str | None] = raw.get("sourcesContent") or []
        self.names: Sequence[str] = raw.get("names") or []
        self._lines: list[str] = (raw.get("mappings") or "").split(";")
        self._sums: dict[int, _Sum] = {0: (0, 0, 0, 0)}
        self._rows: dict[int, list[Segment]] = {}
        self._by_source: dict[int, dict[int, list[_Place]]] = {}

    def original(self, line: int, column: int) -> Place | None:
        """Return where a generated position came from; None where it maps to nothing."""
        if not 0 <= line < len(self._lines):
            return None
        row = self._row(line)
        at = bisect_right(row, column, key=lambda s: s.column) - 1
        if at < 0 or row[at].source < 0:
            return None
        found = row[at]
        name = self.names[found.name] if 0 <= found.name < len(self.names) else ""
        return Place(found.source, found.line, found.source_column, name)

    def generated(self, source: int, line: int, column: int | None = None) -> tuple[int, list[tuple[int, int]]]:
        """Return the generated places of a source line, or of the next line that has some.

        With `column`, the mapping at it or the next after it. The answer is
        (source line, [(generated line, generated column)]); no places where nothing follows.
        """
        if source not in self._by_source:
            self._by_source[source] = self._index(source)
        lines = self._by_source[source]
        here = [p for p in sorted(lines.get(line, ())) if column is not None and p[0] >= column][:1]
        if here:
            return line, [(gl, gc) for _, gl, gc in here]
        found = min((n for n in lines if n >= line + (column is not None)), default=None)
        if found is None:
            return line, []
        places = sorted(lines[found])
        return found, _first_of_lines([(gl, gc) for _, gl, gc in places])

    def end(self, source: int, line: int, generated: int) -> tuple[int, int]:
        """Return where the text of a source line ends on a generated line; that end is excluded."""
        row = self._row(generated)
        last = max((i for i, s in enumerate(row) if (s.source, s.line) == (source, line)), default=len(row))
        return (generated, row[last + 1].column) if last + 1 < len(row) else (generated + 1, 0)

    def _row(self, line: int) -> list[Segment]:
        """The segments of a generated line, by column."""
        if line not in self._rows:
            self._rows[line] = _decode(self._lines[line], self._sum(line))
        return self._rows[line]

    def _sum(self, line: int) -> "_Sum":
        """What all numbers before a line add up to: source, line, column, name."""
        if line not in self._sums:
            known = max(n for n in self._sums if n <= line)
            source, at, column, name = self._sums[known]
            for part, times in Counter(",".join(self._lines[known:line]).split(",")).items():
                numbers = _numbers(part)
                if len(numbers) > 3:
                    source += numbers[1] * times
                    at += numbers[2] * times
                    column += numbers[3] * times
                if len(numbers) > 4:
                    name += numbers[4] * times
            self._sums[line] = (source, at, column, name)
        return self._sums[line]

    def _index(self, wanted: int) -> "dict[int, list[_Place]]":
        """All places of one source, by its lines: (source column, generated line, generated column)."""
        table: dict[int, list[_Place]] = {}
        source = line = source_column = 0
        for number, text in enumerate(self._lines):
            column = 0
            for part in text.split(",") if text else ():
                numbers = _numbers(part)
                if not numbers:
                    continue
                column += numbers[0]
                if len(numbers) < 4:
                    continue
                source += numbers[1]
                line += numbers[2]
                source_column += numbers[3]
                if source == wanted:
                    table.setdefault(line, []).append((source_column, number, column))
        return table


_Sum = tuple[int, int, int, int]
_Place = tuple[int, int, int]


@lru_cache(1 << 16)
def _numbers(part: str) -> tuple[int, ...]:
    try:
        return tuple(decode_vlq(part))
    except ValueError:
        return ()


def _decode(text: str, before: _Sum) -> list[Segment]:
    source, line, source_column, name = before
    row: list[Segment] = []
    column = 0
    for part in text.split(",") if text else ():
        numbers = _numbers(part)
        if not numbers:
            continue
        column += numbers[0]
        if len(numbers) < 4:
            row.append(Segment(column, -1, 0, 0, -1))
            continue
        source += numbers[1]
        line += numbers[2]
        source_column += numbers[3]
        named = -1
        if len(numbers) > 4:
            name += numbers[4]
            named = name
        row.append(Segment(column, source, line, source_column, named))
    row.sort(key=lambda s: s.column)
    return row


def _first_of_lines(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """One place a generated line, the leftmost: a statement maps to many columns, and stops once."""
    best: dict[int, int] = {}
    for line, column in places:
        best[line] = min(column, best.get(line, column))
    return sorted(best.items())


class IndexMap(SourceMap):
    """A map made of sections (bundlers that concatenate): each answers for its own stretch."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        super().__init__({})
        self._sections: list[tuple[tuple[int, int], int, SourceMap]] = []
        sources: list[str] = []
        contents: list[str | None] = []
        for section in raw["sections"]:
            if "map" not in section:
                continue
            part = parse(section["map"])
            offset = (section["offset"]["line"], section["offset"]["column"])
            self._sections.append((offset, len(sources), part))
            sources += part.sources
            contents += [part.contents[i] if i < len(part.contents) else None for i in range(len(part.sources))]
        self.sources, self.contents = sources, contents

    def original(self, line: int, column: int) -> Place | None:
        """Return where a generated position came from; None where it maps to nothing."""
        at = bisect_right(self._sections, (line, column), key=lambda s: s[0]) - 1
        if at < 0:
            return None
        (first, shift), base, part = self._sections[at]
        found = part.original(line - first, column - shift if line == first else column)
        return found and found._replace(source=found.source + base)

    def end(self, source: int, line: int, generated: int) -> tuple[int, int]:
        """Return where a source line's text ends on a generated line, as `SourceMap.end` does."""
        for (first, shift), base, part in self._sections:
            if base <= source < base + len(part.sources):
                at, column = part.end(source - base, line, generated - first)
                return at + first, column + shift if at == 0 else column
        return generated + 1, 0

    def generated(self, source: int, line: int, column: int | None = None) -> tuple[int, list[tuple[int, int]]]:
        """Return the generated places of a source line, as `SourceMap.generated` does."""
        for (first, shift), base, part in self._sections:
            if base <= source < base + len(part.sources):
                at, places = part.generated(source - base, line, column)
                return at, [(gl + first, gc + shift if gl == 0 else gc) for gl, gc in places]
        return line, []


def parse(raw: Mapping[str, Any] | str | bytes) -> SourceMap:
    """Read a source map, plain or made of sections.

    Raises:
        ValueError: it is no source map.
    """
    if isinstance(raw, bytes):
        raw = raw.decode("utf-8", "replace")
    if isinstance(raw, str):
        if raw.startswith(")]}'"):  # the guard against inclusion that the specification allows
            raw = raw.partition("\n")[2]
        raw = json.loads(raw)
    if not isinstance(raw, Mapping):
        raise ValueError("a source map is a JSON object")
    if raw.get("sections") is not None:
        return IndexMap(raw)
    return SourceMap(raw)


def _under(root: str, source: str) -> str:
    if not root or "://" in source or source.startswith("/"):
        return source
    return root.rstrip("/") + "/" + source


def source_path(source: str, base: str, folder: str) -> str:
    """Return the file that a map's source names, "" where it names none on this machine.

    `base` is the folder of the map (or of the generated script where it is inline); `folder` is
    the program's own, where bundlers' made-up roots (`webpack://name/./src/x.ts`) begin.
    """
    parts = urlsplit(source)
    if parts.scheme == "file":
        return posixpath.normpath(unquote(parts.path))
    if parts.scheme in ("webpack", "webpack-internal", "vite", "turbopack", "rollup"):
        inside = unquote(parts.path).lstrip("/")
        return posixpath.normpath(posixpath.join(folder, inside.removeprefix("./"))) if inside else ""
    if parts.scheme and len(parts.scheme) > 1:
        return ""
    plain = unquote(source) if "%" in source else source
    return posixpath.normpath(posixpath.join(base, plain.split("?")[0]))


def map_address(script_url: str, map_url: str) -> str:
    """Return where a script's map lies, as an absolute address."""
    return map_url if map_url.startswith("data:") else urljoin(script_url, map_url)
