"""The named functions of a file with the very places where their bodies open and close, and their parameters."""

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from dapwright.core.source import shapes
from dapwright.core.source.grammars import capture, characters, grammar, kinds, parse
from dapwright.core.source.outline import plain
from dapwright.core.source.rules import RULES
from dapwright.core.source.text import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node

NAME = re.compile(r"^(\w+_)?identifier(_pattern)?$|^word$|^variable_name$")
SUSPENDS = re.compile(r"\basync\b|\bsuspend\b|\bfunction\s*\*|^\s*(?:static\s+)?\*")
LOOPS = re.compile(r"^(while|do)_statement$")


STILL = re.compile(
    r"comment$|function_declaration$|function_item$|^class_declaration$|type_alias|interface_declaration|^empty_|^using_"
)
"""Kinds that stand in a body and do nothing when it begins."""
OBJECTS = frozenset({"object", "dictionary", "initializer_list"})


class Entry(Struct, frozen=True):
    """A function: lines are 1-based, columns 0-based in characters."""

    name: str
    """Qualified, `.` between its parts."""
    line: int
    """Where it is named."""
    first: int
    last: int
    opens: tuple[int, int]
    """Where its body begins."""
    starts: tuple[int, int]
    """Where the first thing in it stands that can run: a statement, an expression, else what closes it."""
    closes: tuple[int, int]
    parameters: tuple[str, ...] = ()
    suspends: bool = False
    """Its calls may stand still and go on later: an async function, a generator."""
    loops: bool = False
    """The first thing in it is a loop's condition, which runs again and again."""


def entries(file: SourceFile) -> list[Entry]:
    """Return a file's named functions that have a body; none where no grammar serves its language."""
    tree, known, rule = parse(file), grammar(file.language), RULES.get(file.language)
    if tree is None or known is None or rule is None:
        return []
    have = set(kinds(known, re.compile("")))
    wanted = {name: [k for k in getattr(rule, name).split() if k in have] for name in ("functions", "classes")}
    found: list[Entry] = []
    scopes: list[tuple[int, str]] = []
    for node, names in shapes.in_order(capture(known, tree.root_node, wanted)):
        while scopes and scopes[-1][0] <= node.start_byte:
            scopes.pop()
        name = plain(shapes.name_of(node))
        if not name:
            continue
        outside = scopes[-1][1] if scopes else ""
        if node.type == "package_statement":
            outside = ""
        if shapes.holds_the_rest(node):
            scopes.clear()
        qualified = ".".join(filter(None, [outside, shapes.receiver(node), name]))
        scopes.append((len(file.text) * 4 if shapes.holds_the_rest(node) else node.end_byte, qualified))
        body = shapes.body_of(node, rule)
        if "classes" not in names and body is not None:
            found.append(_entry(file, node, body, qualified))
    return found


def _entry(file: SourceFile, node: "Node", body: "Node", name: str) -> Entry:
    text = shapes.text_of(node)[: body.start_byte - node.start_byte]
    closed = _place(file, (body.end_point[0], max(body.end_point[1] - 1, 0)))
    first: Node | None = body
    while first is not None and shapes.text_of(first).startswith("{") and first.type not in OBJECTS:
        first = next((child for child in first.named_children if not STILL.search(child.type)), None)
    return Entry(
        name,
        shapes.named_line(node),
        node.start_point[0] + 1,
        shapes.end_of(node),
        _place(file, body.start_point),
        _place(file, first.start_point) if first is not None else closed,
        closed,
        tuple(parameters(node)),
        SUSPENDS.search(text) is not None,
        first is not None and (LOOPS.match(first.type) is not None or _is_bare_for(first)),
    )


def _is_bare_for(node: "Node") -> bool:
    return node.type == "for_statement" and node.child_by_field_name("initializer") is None


def _place(file: SourceFile, point: tuple[int, int]) -> tuple[int, int]:
    row, column = point
    return row + 1, characters(file.line(row + 1), column)


def parameters(node: "Node") -> list[str]:
    """Return the names that a function's parameters bind, those inside patterns too, in order."""
    holder = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    names: list[str] = []
    if holder is not None:
        _bound(holder, names)
    return list(dict.fromkeys(names))


def _bound(node: "Node", names: list[str]) -> None:
    if NAME.match(node.type) and node.type not in ("type_identifier", "property_identifier"):
        names.append(shapes.text_of(node))
        return
    kept = node.child_by_field_name("pattern") or node.child_by_field_name("left")
    for child in [kept] if kept is not None else node.named_children:
        if not child.type.endswith(("type_annotation", "type_identifier")):
            _bound(child, names)
