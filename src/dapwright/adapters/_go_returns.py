"""What a Go function returns, read from the frame that a step out has left (Delve 1.26 and later tell places).

Built without optimisation, which is what we ask of builds, a function keeps its results in its frame
until its last instructions load them into registers. A named result whose address may be kept is
moved to the heap when the function begins: one that is there is not told, since other goroutines may
write to it.
"""

import re
from typing import TYPE_CHECKING

from dapwright.core.returning import Results, Returning
from dapwright.core.source.grammars import parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from dapwright.core.source import SourceFile

LITERAL = re.compile(r"\.func\d+(\.\d+)*$")
"""The last part of a closure's name (Go 1.20 to 1.26: `main.f.func1`, `main.f.func1.2`)."""
FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
KEEPS = frozenset({"func_literal", "selector_expression", "slice_expression", "unary_expression"})
"""What may keep the address of a variable that is named in it."""
FAKE = 0xBEEF << 48
"""Where Delve puts what lies in registers (pkg/proc: fakeAddressUnresolv)."""


def results(file: "SourceFile", line: int, name: str) -> Results | None:
    """The results of the function that a frame of this name stands in; None where several could be meant."""
    tree = parse(file)
    if tree is None:
        return None
    meant = [node for node in _around(tree.root_node, line - 1) if _is_named(node, name)]
    innermost = [node for node in meant if not any(_within(other, node) for other in meant)]
    if len(innermost) != 1 or (len(meant) > 1 and innermost[0].start_point[0] == line - 1):
        return None
    (function,) = innermost
    body, told = function.child_by_field_name("body"), function.child_by_field_name("result")
    if body is None or function.has_error:
        return None
    names = _names(told)
    begun = line - 1 > body.start_point[0]
    return Results(tuple(names), begun or not any(_kept(body, one) for one in names if one[0] != "~"))


def _around(node: "Node", row: int) -> "list[Node]":
    found = [node] if node.type in FUNCTIONS else []
    for child in node.named_children:
        if child.start_point[0] <= row <= child.end_point[0]:
            found += _around(child, row)
    return found


def _within(inner: "Node", outer: "Node") -> bool:
    return inner != outer and outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _is_named(node: "Node", name: str) -> bool:
    if LITERAL.search(name):
        return node.type == "func_literal"
    told = node.child_by_field_name("name")
    bare = re.sub(r"\[.*\]", "", name).rpartition(".")[2]
    return told is not None and _text(told) == bare


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _names(told: "Node | None") -> list[str]:
    """Delve's names of results: a number where they have none of their own."""
    if told is None:
        return []
    if told.type != "parameter_list":
        return ["~r0"]
    names: list[str] = []
    for one in told.named_children:
        if one.type == "parameter_declaration":
            names += [_text(each) for each in one.children_by_field_name("name")] or ["_"]
    return [f"~r{at}" if name == "_" else name for at, name in enumerate(names)]


def _kept(node: "Node", name: str) -> bool:
    """Whether a variable's address may be kept: only then it may be moved to the heap."""
    if node.type in KEEPS and _mentions(node, name):
        return True
    return any(_kept(child, name) for child in node.named_children)


def _mentions(node: "Node", name: str) -> bool:
    if node.type == "identifier" and _text(node) == name:
        return True
    return any(_mentions(child, name) for child in node.named_children)


def limits(text: str) -> tuple[int, int] | None:
    """`runtime.stack {lo: 824633720832, hi: 824633724928}` as its two numbers."""
    found = re.search(r"\{lo: (\d+), hi: (\d+)\}", text)
    return (int(found[1]), int(found[2])) if found else None


def place(data_id: str) -> int | None:
    """The address in `-1,0,*(*[8]byte)(0xc000012345)`; None of one that stands for registers."""
    found = re.search(r"\(0x([0-9a-f]+)\)$", data_id)
    address = int(found[1], 16) if found else 0
    return address if 0 < address < FAKE else None


def typed(shown: str) -> str:
    """A variable's own type: Delve shows what an interface holds behind it (`error(*errors.errorString)`)."""
    if not shown.endswith(")"):
        return shown
    depth, at = 0, len(shown)
    while at:
        at -= 1
        depth += {")": 1, "(": -1}.get(shown[at], 0)
        if not depth:
            break
    before = shown[:at]
    return shown if not before or before.endswith((" ", "func")) else before


def read(type_name: str, address: int) -> str:
    """Delve takes the name of any type between quotes."""
    return f'*(*"{type_name}")({address:#x})'


CLEARS = re.compile(
    r"""^(?:(?:SUBQ\ \$0x|ADDQ\ \$-0x)[0-9a-f]+,\ SP  # the frame is made
    | MOV\w*\ (?:\$0x0|[A-Z]+\d*),\ (?:0x[0-9a-f]+|0)?\(R?SP\)  # cleared, and arguments are put into it
    | LEAQ\ (?:0x[0-9a-f]+|0)\(SP\),\ [A-Z]+\d* | MOVUPS\ X15,\ (?:0x[0-9a-f]+|0)\([A-Z]+\d*\)
    | STP\ \(\w+,\ \w+\),\ \d*\(RSP\)
    | NOP.*)$""",
    re.X,
)
"""How a function begins (Go 1.26, amd64; arm64 as its manual writes it), as far as nothing of it can fail."""

RETURNS = Returning(
    bounds="runtime.curg.stack",
    offset="runtime.frameoff",
    limits=limits,
    place=place,
    typed=typed,
    read=read,
    results=results,
    unnamed=re.compile(r"~r\d+$"),
    clears=CLEARS,
    unfit=re.compile("optimized"),
    unreadable=re.compile(r"\(?unreadable|<unreadable"),
)
