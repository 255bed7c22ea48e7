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
    from tree_sitter import Language, Node, Tree

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
    from tree_sitter import Query, QueryCursor

    text = "\n".join(f"({kind}) @{name}" for name, found in names.items() for kind in found)
    return QueryCursor(Query(language, text)).captures(root) if text else {}


def lexis(file: SourceFile) -> Lexis | None:
    """Return the grammar's reading of comments and strings; None where no grammar serves the language."""
    tree, known = parse(file), grammar(file.language)
    if tree is None or known is None:
        return None
    names = {"comment": kinds(known, COMMENT), "string": kinds(known, STRING), "hole": kinds(known, HOLE)}
    found = capture(known, tree.root_node, names)
    return Parsed(file, *(sorted(span(file, n, name == "comment") for n in found.get(name, [])) for name in names))


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


class Parsed:
    """Comments and literals as a grammar found them."""

    def __init__(self, file: SourceFile, comments: list[Span], strings: list[Span], holes: list[Span]) -> None:
        self.file = file
        self.by_line: dict[int, list[tuple[int, int]]] = {}
        for s in comments:
            for line in range(s.start, s.end + 1):
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
