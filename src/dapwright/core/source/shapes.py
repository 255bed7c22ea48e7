"""Functions and statements by a grammar's tree."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from dapwright.core.source.grammars import capture, grammar, kinds, parse
from dapwright.core.source.outline import Function, Outline, Statement, plain
from dapwright.core.source.rules import RULES, SILENT, STATEMENT, Rule
from dapwright.core.source.text import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Language, Node

CLOSERS = re.compile(
    r"\s*(?:end\b[ \t\w]*|(?:fi|done|esac|then)\b|(?:begin|else|finally|default|ensure)\b\s*[{:]?|[\])};,]|\s)*$", re.I
)
"""A line that only closes what others opened, or opens the next branch."""
IDENTIFIER = re.compile(r"(identifier|^name|^constant|^word|^variable|operator_name)$")
NAMED_BY = (
    "variable_declarator", "pair", "assignment_expression", "public_field_definition", "field_definition", "assignment",
    "assignment_statement"
)  # fmt: skip
"""What gives a nameless function its name, by the first field of these that it has."""


def outline(file: SourceFile) -> Outline | None:
    """Return the grammar's outline of a file; None where no grammar serves the language."""
    tree, known, rule = parse(file), grammar(file.language), RULES.get(file.language)
    if tree is None or known is None or rule is None:
        return None
    found = capture(known, tree.root_node, wanted(known, rule))
    shape = Shape(file, rule, sorted(node.start_byte for node in found.get("blocks", [])))
    for node, names in in_order(found):
        shape.take(node, names)
    return Outline(tuple(shape.functions), shape.owner, frozenset(shape.executable))


def wanted(known: "Language", rule: Rule) -> dict[str, list[str]]:
    """Return the kinds to look for: those of the rule that this version of the grammar has."""
    have = set(kinds(known, re.compile("")))
    names = {n: [k for k in getattr(rule, n).split() if k in have] for n in ("functions", "classes", "blocks", "arms")}
    apart = {k for found in names.values() for k in found}
    names["statements"] = [k for k in kinds(known, STATEMENT) if k not in apart]
    return names


def in_order(found: "dict[str, list[Node]]") -> "list[tuple[Node, set[str]]]":
    """Return the nodes from the outer to the inner, each once, with all that it is.

    Of two that take in the same text the outer one is the one with more below it.
    """
    nodes: dict[int, tuple[Node, set[str]]] = {}
    for name, some in found.items():
        for node in some:
            nodes.setdefault(node.id, (node, set()))[1].add(name)
    return sorted(nodes.values(), key=lambda pair: place_of(pair[0]))


def place_of(node: "Node") -> tuple[int, int, int]:
    """Return what sorts nodes from the outer to the inner, whichever of a file's nodes are at hand."""
    return node.start_byte, -node.end_byte, -node.descendant_count


class Shape:
    """Collects a file's functions and statements, from the outer to the inner."""

    def __init__(self, file: SourceFile, rule: Rule, blocks: list[int]) -> None:
        self.file, self.rule, self.blocks = file, rule, blocks
        self.functions: list[Function] = []
        self.scopes: list[tuple[int, str]] = []
        self.owner: dict[int, Statement] = {}
        self.executable: set[int] = set()

    def take(self, node: "Node", names: set[str]) -> None:
        """Take in one node."""
        if names & {"functions", "classes"}:
            self.scope(node, "class" if "classes" in names else "function")
        elif "arms" in names and self.rule.blind:
            self.disown(node.start_point[0] + 1, end_of(node))
        elif names & {"statements", "arms"}:
            self.statement(node)
        if "blocks" in names:
            self.block(node)

    def scope(self, node: "Node", kind: str) -> None:
        """Take in a function or a class."""
        while self.scopes and self.scopes[-1][0] <= node.start_byte:
            self.scopes.pop()
        name = plain(name_of(node))
        if not name or (self.file.language == "haskell" and node.child_by_field_name("name") is None):
            return
        outside = self.scopes[-1][1] if self.scopes else ""
        if node.type == "package_statement":
            outside = ""
        if holds_the_rest(node):
            self.scopes.clear()
        qualified = ".".join(filter(None, [outside, receiver(node), name]))
        self.scopes.append((len(self.file.text) * 4 if holds_the_rest(node) else node.end_byte, qualified))
        first, last = node.start_point[0] + 1, end_of(node)
        head = named_line(node)
        body = body_of(node, self.rule)
        start = first_statement(body, first) if body else first
        what: Literal["function", "class"] = "class" if kind == "class" else "function"
        if kind == "class" and self.rule.blind and node.type != "package_statement":
            self.own(first, first, "code")
            self.executable.add(first)
        self.functions.append(Function(name.split(".")[-1], qualified, first, head, start, last, what))
        if kind == "function" and body:
            self.own(first, max(first, min(head_end(node, body), start - 1 or first)), "definition")
            self.expression(node, body)

    def expression(self, node: "Node", body: "Node") -> None:
        """Take in a body that is an expression on lines of its own: it runs at the call, not where it is written."""
        if text_of(body).startswith("="):
            body = body.named_children[-1] if body.named_children else body
        if text_of(body).startswith("{") or body.type.endswith(("block", "body", "statements", "statement_list")):
            return
        line, column = body.start_point[0] + 1, body.start_point[1]
        if body.type in self.rule.blocks.split() or line <= node.start_point[0] + 1:
            return
        if not self.file.line(line).encode("utf-8", "replace")[:column].strip():
            self.own(line, end_of(body), "code")
            self.executable.add(line)

    def statement(self, node: "Node") -> None:
        """Take in a statement: its lines are its own until an inner one takes them."""
        if SILENT.search(node.type):
            return
        first = node.start_point[0] + 1
        simple = not self.has_block(node)
        before = self.file.line(first).encode("utf-8", "replace")[: node.start_point[1]]
        self.executable.add(first)
        if not (self.rule.blind and first in self.owner and before.strip()):
            self.own(first, end_of(node), "code", simple=simple)

    def block(self, node: "Node") -> None:
        """Take in a block: its lines are nobody's but its statements'."""
        arm = self.rule.blind and node.child_by_field_name("value") is not None
        self.disown(node.start_point[0] + (1 if arm else 2), end_of(node))
        if node.parent is None and not self.rule.script:
            return
        rule = self.rule
        skipped = set(f"{rule.functions} {rule.classes} {rule.blocks} {rule.arms}".split())
        matched = node.children_by_field_name("value") if rule.blind else []
        for child in self.children(node):
            if child.type not in skipped and child not in matched:
                self.statement(child)

    def has_block(self, node: "Node") -> bool:
        """Tell whether a block begins in a node."""
        at = bisect_left(self.blocks, node.start_byte)
        return at < len(self.blocks) and self.blocks[at] < node.end_byte

    def children(self, node: "Node") -> "list[Node]":
        """Return the children of a block that are to be taken in."""
        return node.named_children

    def lines(self, first: int, last: int) -> Iterable[int]:
        """Return those of the lines from one to another that are to be known."""
        return range(first, last + 1)

    def disown(self, first: int, last: int) -> None:
        """Take lines from the statement around them, but for the line that it begins on."""
        for line in self.lines(first, last):
            if line in self.owner and (line > first or self.owner[line].first < line):
                del self.owner[line]

    def own(self, first: int, last: int, kind: str, *, simple: bool = False) -> None:
        """Give a statement its lines; one that shares its first line with an outer one leaves it that line.

        `simple`: no block is in it, so that what closes it is its own.
        """
        statement = Statement(first, last, "definition" if kind == "definition" else "code")
        for line in self.lines(first, last):
            here = self.owner.get(line)
            if here is not None and here.first == line and line == first and here.kind == "code":
                continue
            if line > first and not simple and CLOSERS.match(self.file.line(line)):
                self.owner.pop(line, None)
                continue
            self.owner[line] = statement


def holds_the_rest(node: "Node") -> bool:
    """Tell whether a node names what follows it: Perl's `package Box;`, up to the next."""
    return node.type == "package_statement" and not any(child.type == "block" for child in node.named_children)


def end_of(node: "Node") -> int:
    """Return a node's last line; a line end that it takes in does not count."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point[0] else row + 1


def head_end(node: "Node", body: "Node") -> int:
    """Return the last line of a function's head: comments between it and a body without braces are none of it."""
    if text_of(body)[:1] == "{":
        return int(body.start_point[0]) + 1
    before = [c for c in node.children if c.start_byte < body.start_byte and "comment" not in c.type]
    return max((end_of(c) for c in before), default=int(node.start_point[0]) + 1)


def named_line(node: "Node") -> int:
    """Return the line of a function's name: annotations may stand above it."""
    name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    return (name or node).start_point[0] + 1


def body_of(node: "Node", rule: Rule) -> "Node | None":
    """Return a function's body."""
    found = node.child_by_field_name("body")
    if found:
        return found
    blocks = rule.blocks.split()
    if node.type in blocks:
        return node
    return next((c for c in node.named_children if c.type in blocks or c.type.endswith("body")), None)


def first_statement(body: "Node", line: int) -> int:
    """Return the line of a body's first statement; the function's own where it has none."""
    for child in body.named_children:
        if child.type.endswith(("statements", "statement_list", "block", "body_statement")) and child.named_children:
            return first_statement(child, line)
        if not SILENT.search(child.type):
            return child.start_point[0] + 1
    return body.start_point[0] + 1 if body.named_child_count == 0 and body.start_point[0] + 1 > line else line


def text_of(node: "Node | None") -> str:
    """Return a node's text."""
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def name_of(node: "Node", depth: int = 0) -> str:
    """Return the name of a function or class as its grammar writes it, "" for a nameless one."""
    if node.type == "impl_item":
        return text_of(node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    if name is not None:
        return text_of(name)
    inner = node.child_by_field_name("declarator")
    if inner is not None and depth < 6:
        return name_of(inner, depth + 1)
    if IDENTIFIER.search(node.type):
        return text_of(node)
    giver = node.parent.parent if node.parent is not None and node.parent.type == "expression_list" else node.parent
    if depth == 0 and giver is not None and giver.type in NAMED_BY:
        return text_of(giver.named_children[0])
    special = {"constructor_declaration": "constructor", "init_declaration": "init", "deinit_declaration": "deinit"}
    if node.type in special:
        return special[node.type]
    if re.search(r"lambda|closure|arrow|anonymous|literal|_expression", node.type) or depth > 3:
        return ""
    for child in node.named_children:
        if IDENTIFIER.search(child.type):
            return text_of(child)
        inside = re.search(r"signature|_statement$|specification|header|declarator", child.type)
        if inside and (found := name_of(child, depth + 1)):
            return found
    return ""


def receiver(node: "Node") -> str:
    """Return the type that a Go method belongs to, which stands before its name."""
    if node.type != "method_declaration":
        return ""
    found = re.search(r"\*?\s*(\w+)\s*(?:\[[^\]]*\])?\s*\)$", text_of(node.child_by_field_name("receiver")))
    return found[1] if found else ""
