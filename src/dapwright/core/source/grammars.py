"""Every other language by its tree-sitter grammar, loaded when a file of it is first read."""

import re
import warnings
from bisect import bisect_right
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from dapwright.core.source.lexis import Lexis, Span
from dapwright.core.source.rules import COMMENT, HOLE, RULES, STRING
from dapwright.core.source.text import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

PIECE = 128
"""Lines that are read at a time where only some are asked for."""
LARGEST = 8_000_000
"""Characters beyond which a file (a bundle, a dump) is read by its marks alone: a grammar reads some 10 MB a second."""


@lru_cache(maxsize=64)
def grammar(language: str) -> "Language | None":
    """Load a language's grammar; None where it is not installed, or made for another tree-sitter."""
    rule = RULES.get(language)
    if rule is None:
        return None
    try:
        from tree_sitter import Language

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # some wheels still hand over an address, not a capsule
            return Language(getattr(import_module(rule.module), rule.entry)())
    except (ImportError, AttributeError, ValueError, TypeError):
        return None


@lru_cache(maxsize=16)
def parse(file: SourceFile) -> "Tree | None":
    """Parse a file; None where no grammar serves it."""
    known = grammar(file.language)
    if known is None or len(file.text) > LARGEST:
        return None
    from tree_sitter import Parser

    return Parser(known).parse(file.text.encode("utf-8", "replace"))


def kinds(language: "Language", pattern: re.Pattern[str]) -> list[str]:
    """Return the names of a grammar's nodes that fit a pattern."""
    return sorted(
        {
            name
            for number in range(language.node_kind_count)
            if language.node_kind_is_named(number) and language.node_kind_is_visible(number)
            if (name := language.node_kind_for_id(number)) and pattern.search(name)
        }
    )


def capture(language: "Language", root: "Node", names: dict[str, list[str]]) -> "dict[str, list[Node]]":
    """Find all nodes of the named kinds, inside the parser's own library: walking a tree here is slow."""
    from tree_sitter import QueryCursor

    made = query(language, names)
    return QueryCursor(made).captures(root) if made else {}


def query(language: "Language", names: dict[str, list[str]]) -> "Query | None":
    """Compile what finds the nodes of the named kinds; None where there are none."""
    from tree_sitter import Query

    text = "\n".join(f"({kind}) @{name}" for name, found in names.items() for kind in found)
    return Query(language, text) if text else None


def within(query: "Query", root: "Node", first: int, last: int) -> "dict[str, list[Node]]":
    """Return what a query finds that touches the lines from one to another, or the line beside them."""
    from tree_sitter import QueryCursor

    cursor = QueryCursor(query)
    cursor.set_point_range((max(first - 2, 0), 0), (last + 1, 0))
    return cursor.captures(root)


@lru_cache(maxsize=64)
def literals(language: str) -> "Query | None":
    """Return what finds comments, literals and the holes in these; None where no grammar serves the language."""
    known = grammar(language)
    if known is None:
        return None
    return query(known, {"comment": kinds(known, COMMENT), "string": kinds(known, STRING), "hole": kinds(known, HOLE)})


def lexis(file: SourceFile) -> Lexis | None:
    """Return the grammar's reading of comments and strings; None where no grammar serves the language."""
    tree, wanted = parse(file), literals(file.language)
    if tree is None or wanted is None:
        return None
    return Pieces(file, tree.root_node, wanted)


def long(node: "Node") -> bool:
    """Tell whether a literal may go over a line's end: no other says what a line begins in."""
    return bool(node.end_point[0] > node.start_point[0] or node.type.startswith("heredoc"))


def span(file: SourceFile, node: "Node", comment: bool) -> Span:
    """Turn a node's place (0-based rows, columns in bytes) into ours; a line end that it takes in does not count."""
    (row, column), (last, end) = node.start_point, node.end_point
    if end == 0 and last > row:
        last -= 1
        end = len(file.line(last + 1).encode("utf-8", "replace"))
    if node.type.startswith("heredoc") and column == 0 and row:  # begins with its line, not on the line that opens it
        row -= 1
        column = len(file.line(row + 1).encode("utf-8", "replace"))
    return Span(
        row + 1, characters(file.line(row + 1), column), last + 1, characters(file.line(last + 1), end), comment
    )


def characters(text: str, column: int) -> int:
    """Turn a column in UTF-8 bytes into characters."""
    return column if text.isascii() else len(text.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))


class Pieces:
    """Comments and literals as a grammar found them, read by some lines at a time."""

    def __init__(self, file: SourceFile, root: "Node", query: "Query") -> None:
        self.file, self.root, self.query = file, root, query
        self.parts: dict[int, Parsed] = {}

    def part(self, line: int) -> "Parsed":
        """Return what is known of the piece that a line lies in."""
        at = max(line - 1, 0) // PIECE
        if at not in self.parts:
            first, last = at * PIECE + 1, (at + 1) * PIECE
            found = self.read(first, last, first)
            top = min((s.start for s in found.long), default=first)
            # what begins between a long literal's first line and the piece may stand before that one (see `inside`)
            self.parts[at] = self.read(first, last, top) if top < first else found
        return self.parts[at]

    def read(self, first: int, last: int, top: int) -> "Parsed":
        """Read the lines from `first` to `last`, with all that begins from `top` on."""
        found = within(self.query, self.root, top, last)
        spans = (
            sorted(span(self.file, n, name == "comment") for n in found.get(name, []) if name == "comment" or long(n))
            for name in ("comment", "string", "hole")
        )
        return Parsed(self.file, range(first, last + 1), *spans)

    def inside(self, line: int) -> Span | None:
        """Return the comment or literal that a line's first character lies in."""
        return self.part(line).inside(line)

    def comments(self, line: int) -> list[tuple[int, int]]:
        """Return the columns of the comments on a line, in order."""
        return self.part(line).comments(line)


class Parsed:
    """The comments and literals of some lines."""

    def __init__(
        self, file: SourceFile, lines: range, comments: list[Span], strings: list[Span], holes: list[Span]
    ) -> None:
        self.file = file
        self.by_line: dict[int, list[tuple[int, int]]] = {}
        for s in comments:
            for line in range(max(s.start, lines.start), min(s.end + 1, lines.stop)):
                first = s.start_column if line == s.start else 0
                last = s.end_column if line == s.end else len(file.line(line))
                self.by_line.setdefault(line, []).append((first, last))
        self.long = sorted(s for s in (*comments, *outermost(strings)) if s.end > s.start)
        self.firsts = [s.start for s in self.long]
        self.holes = [s for s in holes if s.end > s.start]

    def inside(self, line: int) -> Span | None:
        """Return the comment or literal that a line's first character lies in."""
        at = bisect_right(self.firsts, line - 1) - 1
        for found in reversed(self.long[max(0, at - 1) : at + 1]):
            if found.start < line <= found.end and found.end_column:
                return None if any(h.start < line <= h.end for h in self.holes) else found
        return None

    def comments(self, line: int) -> list[tuple[int, int]]:
        """Return the columns of the comments on a line, in order."""
        return self.by_line.get(line, [])


def outermost(spans: list[Span]) -> list[Span]:
    """Leave out the literals that lie inside others."""
    kept: list[Span] = []
    for s in spans:
        if not kept or (s.end, s.end_column) > (kept[-1].end, kept[-1].end_column):
            kept.append(s)
    return kept
