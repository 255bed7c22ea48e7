"""Source maps: where generated code came from. Pure.

A map is indexed when it is first asked, not when it is loaded: one pass splits the mappings
into lines; a line is decoded when a position on it is wanted. The other direction (source ->
generated) decodes all, once, in a flat loop. Lines and columns are 0-based.
https://tc39.es/ecma426/
"""

import json
import posixpath
from bisect import bisect_right
from collections.abc import Mapping, Sequence
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
    """A map of one section: `sources` as written (with `sourceRoot`), `contents` beside them."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        root = raw.get("sourceRoot") or ""
        self.sources = [_under(root, s or "") for s in raw.get("sources") or []]
        self.contents: Sequence[str | None] = raw.get("sourcesContent") or []
        self.names: Sequence[str] = raw.get("names") or []
        self._mappings: str = raw.get("mappings") or ""
        self._rows: list[list[Segment]] | None = None
        self._by_source: dict[int, dict[int, list[tuple[int, int, int]]]] | None = None

    def row(self, line: int) -> list[Segment]:
        """Return the segments of a generated line, by column."""
        if self._rows is None:
            self._rows = _decode(self._mappings)
        return self._rows[line] if 0 <= line < len(self._rows) else []

    def original(self, line: int, column: int) -> Place | None:
        """Return where a generated position came from; None where it maps to nothing."""
        row = self.row(line)
        at = bisect_right(row, column, key=lambda s: s.column) - 1
        if at < 0 or row[at].source < 0:
            return None
        found = row[at]
        name = self.names[found.name] if 0 <= found.name < len(self.names) else ""
        return Place(found.source, found.line, found.source_column, name)

    def generated(self, source: int, line: int, column: int | None = None) -> tuple[int, list[tuple[int, int]]]:
        """Return the generated places of a source line, or of the next line that has some.

        With `column`, the mapping at it or the next after it on that line. The answer is
        (source line, [(generated line, generated column)]); no places where nothing follows.
        """
        if self._by_source is None:
            self._by_source = self._invert()
        lines = self._by_source.get(source, {})
        found = min((n for n in lines if n >= line), default=None)
        if found is None:
            return line, []
        places = sorted(lines[found])
        if column is not None and found == line:
            places = [p for p in places if p[0] >= column][:1] or places[-1:]
        return found, _first_of_lines([(gl, gc) for _, gl, gc in places])

    def _invert(self) -> dict[int, dict[int, list[tuple[int, int, int]]]]:
        self.row(0)
        table: dict[int, dict[int, list[tuple[int, int, int]]]] = {}
        for number, row in enumerate(self._rows or []):
            for column, source, line, source_column, _ in row:
                if source >= 0:
                    table.setdefault(source, {}).setdefault(line, []).append((source_column, number, column))
        return table


def _first_of_lines(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """One place a generated line, the leftmost: a statement maps to many columns, and stops once."""
    best: dict[int, int] = {}
    for line, column in places:
        best[line] = min(column, best.get(line, column))
    return sorted(best.items())


def _decode(mappings: str) -> list[list[Segment]]:
    """Decode all mappings; a broken segment ends its line (a truncated map still serves)."""
    rows: list[list[Segment]] = []
    source = line = source_column = name = 0
    for text in mappings.split(";"):
        row: list[Segment] = []
        column = 0
        for part in text.split(",") if text else ():
            try:
                numbers = decode_vlq(part)
            except ValueError:
                break
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
        rows.append(row)
    return rows


class IndexMap(SourceMap):
    """A map made of sections (bundlers that concatenate): one table, offsets applied."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        super().__init__({})
        self._sections = [
            (s["offset"]["line"], s["offset"]["column"], parse(s["map"])) for s in raw["sections"] if "map" in s
        ]
        self.sources = [source for *_, part in self._sections for source in part.sources]
        self.contents = [
            part.contents[i] if i < len(part.contents) else None
            for *_, part in self._sections
            for i in range(len(part.sources))
        ]

    def row(self, line: int) -> list[Segment]:
        if self._rows is None:
            self._rows = self._join()
        return self._rows[line] if 0 <= line < len(self._rows) else []

    def _join(self) -> list[list[Segment]]:
        rows: list[list[Segment]] = []
        names: list[str] = []
        base = 0
        for line, column, part in self._sections:
            part.row(0)
            for number, row in enumerate(part._rows or []):
                while len(rows) <= line + number:
                    rows.append([])
                shift = column if number == 0 else 0
                rows[line + number] += [
                    Segment(
                        s.column + shift,
                        s.source + base if s.source >= 0 else -1,
                        s.line,
                        s.source_column,
                        s.name + len(names) if s.name >= 0 else -1,
                    )
                    for s in row
                ]
            base += len(part.sources)
            names += part.names
        self.names = names
        return rows


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
