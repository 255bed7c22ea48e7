"""The outline of some lines of a large file, by the nodes of its tree that touch them.

It says of these lines what the outline of the whole file says. What a node tells of a line depends on the nodes before
it that touch the same line; only where `Rule.blind` is set, on what the line says on which the node begins, which is
taken in too. A node that names what follows it (`shapes.holds_the_rest`) is nowhere near the lines that it names, so a
language that has it is read whole.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dapwright.core.source.grammars import PIECE, grammar, kinds, parse, query, within
from dapwright.core.source.outline import Function, Outline, named, plain
from dapwright.core.source.rules import RULES, Rule
from dapwright.core.source.shapes import NAMED_BY, Shape, end_of, in_order, name_of, wanted
from dapwright.core.source.text import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

MANY = 64
"""Children of a block beyond which those that touch the lines are searched for, and the search is kept."""
SPREAD = frozenset({"kotlin", "scala", "cpp", "swift", "csharp"})
"""Languages where a name may hold blanks, which do not count: `operator bool`, Kotlin's names in backticks."""
UNSAID = frozenset({"constructor", "init", "deinit"})
"""Names that we give."""
STRIDE = 4096
"""Bytes of a long statement that are first looked through for a block; eight times as many each time."""


class Queries(NamedTuple):
    """What finds the nodes of a language, compiled once."""

    every: "Query"
    heads: "Query"
    """Functions and classes, and what gives a nameless one its name."""
    blocks: "Query | None"


@lru_cache(maxsize=64)
def queries(language: str) -> Queries | None:
    """Return a language's queries; None where no grammar serves it."""
    known, rule = grammar(language), RULES.get(language)
    if known is None or rule is None:
        return None
    names = wanted(known, rule)
    heads = {name: names[name] for name in ("functions", "classes")}
    givers = set(kinds(known, re.compile(""))) & set(NAMED_BY)
    every, blocks = query(known, names), query(known, {"blocks": names["blocks"]})
    named = query(known, {**heads, "givers": sorted(givers)})
    return None if every is None or named is None else Queries(every, named, blocks)


class Windows:
    """Reads the outline of a file by pieces."""

    def __init__(self, file: SourceFile, tree: "Tree", rule: Rule, found: Queries) -> None:
        self.file, self.root, self.rule = file, tree.root_node, rule
        self.every, self.heads, self.blocks = found
        self.parts: dict[int, Outline] = {}
        self.holding: dict[int, bool] = {}
        """By the id of a node that is longer than a piece: whether a block begins in it."""
        self.below: dict[int, tuple[list[Node], list[int], list[int]]] = {}
        """By the id of a block with many children: these, their first rows and their last ones."""

    def part(self, line: int) -> Outline:
        """Return the outline of the piece that a line lies in."""
        at = max(line - 1, 0) // PIECE
        if at not in self.parts:
            self.parts[at] = self.outline(at * PIECE + 1, (at + 1) * PIECE)
        return self.parts[at]

    def functions(self) -> tuple[Function, ...]:
        """Return every function and class of the file, without a look at its statements."""
        from tree_sitter import QueryCursor

        found, pane = QueryCursor(self.heads).captures(self.root), Pane(self, [], [])
        for node, names in in_order({name: found.get(name, []) for name in ("functions", "classes")}):
            pane.scope(node, "class" if "classes" in names else "function")
        return tuple(pane.functions)

    def named(self, name: str) -> list[Function]:
        """Return the functions and classes that a name means, by a look at the places that say it.

        None are found where a grammar writes their name otherwise than the file does: then the whole has to be asked.
        """
        bare = bare_name(name)
        if not is_said(bare):
            return []
        starts = {line for row in self.saying(bare) for line in self.naming(row, bare)}
        pieces = sorted({(line - 1) // PIECE for line in starts})
        near = [f for at in pieces for f in self.part(at * PIECE + 1).functions if (f.first - 1) // PIECE == at]
        return named(near, name)

    def lacks(self, name: str) -> bool:
        """Tell whether no function can have a name, since no word of the file is its last part."""
        bare = bare_name(name)
        return is_said(bare) and self.file.language not in SPREAD and bare not in self.file.text

    def saying(self, word: str) -> Iterable[int]:
        """Return the lines that hold a word."""
        if self.file.language not in SPREAD:
            alone = re.compile(rf"(?<!\w){word}(?!\w)")
            return [n for n in self.file.occurrences(word) if alone.search(self.file.line(n))]
        spread = re.compile(r"[\s()*&`]*".join(word))
        return dict.fromkeys(
            self.file.line_at(at) for found in spread.finditer(self.file.text) for at in (found.start(), found.end())
        )

    def naming(self, line: int, bare: str) -> set[int]:
        """Return the first lines of the functions and classes of a name that touch a line, or are named on it."""
        found = within(self.heads, self.root, line, line)
        nodes = [*found.get("functions", []), *found.get("classes", [])]
        for giver in found.get("givers", []):
            below = giver.named_children
            if below and touches(below[0], line, line):  # what it names may begin further down
                nodes += [n for child in below for n in [child, *child.named_children]]
        return {n.start_point[0] + 1 for n in nodes if bare_name(name_of(n)) == bare}

    def outline(self, first: int, last: int) -> Outline:
        """Return what the whole file's outline says of the lines from `first` to `last`."""
        spans, found = [(first, last)], self.captures(first, last)
        if self.rule.blind:
            known, asked = {first - 1, *range(first, last + 1)}, [(first, last)]
            while asked:
                more = {row + 1 for node in self.starting(found, asked.pop()) for row in node.start_point[:1]} - known
                known |= more
                for line in sorted(more):
                    asked.append((line, line))
                    for name, nodes in self.captures(line, line).items():
                        found.setdefault(name, []).extend(nodes)
                spans += [(line, line) for line in sorted(more)]
        pane = Pane(self, spans, sorted({n.start_byte for n in found.get("blocks", [])}))
        for node, names in in_order(found):
            pane.take(node, names)
        own = {line: s for line, s in pane.owner.items() if first <= line <= last}
        functions = tuple(f for f in pane.functions if f.first <= last and f.last >= first)
        return Outline(functions, own, frozenset(n for n in pane.executable if first <= n <= last))

    def captures(self, first: int, last: int) -> "dict[str, list[Node]]":
        """Return the nodes that touch the lines from `first` to `last`, or the ones beside them."""
        return within(self.every, self.root, first, last)

    def starting(self, found: "dict[str, list[Node]]", span: tuple[int, int]) -> "list[Node]":
        """Return the nodes that may be statements on some lines."""
        nodes = [*found.get("statements", []), *found.get("arms", [])]
        return nodes + [child for node in found.get("blocks", []) for child in self.children(node, [span])]

    def children(self, node: "Node", spans: list[tuple[int, int]]) -> "list[Node]":
        """Return the children of a node that touch some lines."""
        if node.named_child_count <= MANY:
            return [n for n in node.named_children if any(touches(n, *span) for span in spans)]
        if node.id not in self.below:
            every = node.named_children
            self.below[node.id] = every, [n.start_point[0] for n in every], [n.end_point[0] for n in every]
        every, firsts, lasts = self.below[node.id]
        places = {
            n for first, last in spans for n in range(bisect_left(lasts, first - 1), bisect_right(firsts, last - 1))
        }
        return [every[n] for n in sorted(places)]

    def has_block(self, node: "Node") -> bool:
        """Tell whether a block begins in a node, however long that is."""
        if node.id not in self.holding:
            self.holding[node.id] = self.blocks is not None and search(self.blocks, self.root, node)
        return self.holding[node.id]


class Pane(Shape):
    """Collects what is asked of some lines."""

    def __init__(self, windows: Windows, spans: list[tuple[int, int]], blocks: list[int]) -> None:
        super().__init__(windows.file, windows.rule, blocks)
        self.windows, self.spans = windows, spans

    def has_block(self, node: "Node") -> bool:
        """Tell whether a block begins in a node; the blocks of one that is not in the lines whole are not at hand."""
        if super().has_block(node):
            return True
        first, last = self.spans[0]
        if first <= node.start_point[0] + 1 and node.end_point[0] + 1 <= last:
            return False
        return self.windows.has_block(node)

    def children(self, node: "Node") -> "list[Node]":
        """Return the children of a block that touch the lines."""
        return self.windows.children(node, self.spans)

    def lines(self, first: int, last: int) -> Iterable[int]:
        """Return those of the lines from one to another that are asked for."""
        for top, bottom in self.spans:
            yield from range(max(first, top), min(last, bottom) + 1)


def bare_name(name: str) -> str:
    """Return the last part of a name, as the functions have it."""
    return "".join(plain(name).split()).rsplit(".", 1)[-1]


def is_said(bare: str) -> bool:
    """Tell whether a function of that name has it in the text as it is."""
    return re.fullmatch(r"\w+", bare) is not None and bare not in UNSAID


def touches(node: "Node", first: int, last: int) -> bool:
    """Tell whether a node touches the lines from one to another."""
    return bool(node.start_point[0] < last and end_of(node) >= first)


def search(blocks: "Query", root: "Node", node: "Node") -> bool:
    """Tell whether a block begins in a node, from its beginning on: most have one near it."""
    from tree_sitter import QueryCursor

    at, step = node.start_byte, STRIDE
    while at < node.end_byte:
        cursor = QueryCursor(blocks)
        cursor.set_byte_range(max(at - 1, 0), min(at + step, node.end_byte) + 1)
        nodes = cursor.captures(root).get("blocks", [])
        if any(node.start_byte <= n.start_byte < node.end_byte for n in nodes):
            return True
        at, step = at + step, step * 8
    return False


def windows(file: SourceFile) -> Windows | None:
    """Return the reader of a file by pieces; None where it is only read whole."""
    tree, rule, found = parse(file), RULES.get(file.language), queries(file.language)
    if tree is None or rule is None or found is None or "package_statement" in rule.classes.split():
        return None
    return Windows(file, tree, rule, found)
