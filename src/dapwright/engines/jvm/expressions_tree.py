"""Java expressions as trees, and the values of number literals."""

import struct

from msgspec import Struct

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.packets import Value


class NeedsCompiler(Exception):
    """The expression is beyond the interpreter."""


class Literal(Struct, frozen=True):
    value: Value | str
    """A string is told by its text: it need not exist in the JVM."""


class Name(Struct, frozen=True):
    name: str


class Member(Struct, frozen=True):
    target: "Node"
    name: str


class Index(Struct, frozen=True):
    target: "Node"
    index: "Node"


class Call(Struct, frozen=True):
    target: "Node | None"
    name: str
    args: tuple["Node", ...]


class New(Struct, frozen=True):
    type: str
    args: tuple["Node", ...]


class NewArray(Struct, frozen=True):
    """`new int[3]` (sizes) or `new int[]{1, 2}` (items); `type` is the array's."""

    type: str
    sizes: tuple["Node", ...]
    items: tuple["Node", ...] | None


class Unary(Struct, frozen=True):
    operator: str
    operand: "Node"


class Step(Struct, frozen=True):
    """`++x`, `x--`: `before` gives the new value."""

    operator: str
    target: "Node"
    before: bool


class Binary(Struct, frozen=True):
    operator: str
    left: "Node"
    right: "Node"


class Choice(Struct, frozen=True):
    test: "Node"
    yes: "Node"
    no: "Node"


class Assign(Struct, frozen=True):
    """`operator` is empty for `=`, else the one of `+=` and the like."""

    target: "Node"
    operator: str
    value: "Node"


class Cast(Struct, frozen=True):
    type: str
    operand: "Node"


class InstanceOf(Struct, frozen=True):
    operand: "Node"
    type: str


class ClassLiteral(Struct, frozen=True):
    type: str


Node = (
    Literal | Name | Member | Index | Call | New | NewArray | Unary | Step | Binary
    | Choice | Assign | Cast | InstanceOf | ClassLiteral
)  # fmt: skip


def names(node: Node) -> list[str] | None:
    """The parts of a dotted name; None for anything else."""
    if isinstance(node, Name):
        return [node.name]
    if isinstance(node, Member):
        before = names(node.target)
        return [*before, node.name] if before else None
    return None


def number(text: str) -> Value:
    """The value of a number literal.

    Raises:
        UsageError: it does not fit its type.
    """
    plain = text.replace("_", "")
    hexadecimal = plain.lstrip("-")[:2].lower() in ("0x", "0b")
    if plain[-1] in "lL":
        return _integer(plain[:-1], "J", 64, text)
    if not hexadecimal and plain[-1] in "fF":
        return Value("F", struct.unpack(">f", struct.pack(">f", float(plain[:-1])))[0])
    if not hexadecimal and (plain[-1] in "dD" or any(c in plain for c in ".eE")):
        return Value("D", float(plain.rstrip("dD")))
    return _integer(plain, "I", 32, text)


def _integer(plain: str, tag: str, bits: int, text: str) -> Value:
    digits = plain.lstrip("-")
    octal = len(digits) > 1 and digits[0] == "0" and digits[1] not in "xXbB"
    try:
        value = int(digits, 8) if octal else int(digits, 0 if digits[:1] == "0" and len(digits) > 1 else 10)
    except ValueError:
        raise UsageError(f"`{text}` is not a number") from None
    plain_decimal = not octal and digits[:2].lower() not in ("0x", "0b")
    if not plain_decimal and value >> bits == 0 and value >> (bits - 1):
        value -= 1 << bits
    value = -value if plain.startswith("-") else value
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise UsageError(f"`{text}` is too large", "write a long with an L at its end" if bits == 32 else "")
    return Value(tag, value)
