"""Values and expressions of the toy language: numbers, texts, lists, arithmetic, comparisons, `len(x)`."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

Value = int | str | list[Any]
LONGEST = 1_000_000
BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Wrong(Exception):
    """An expression has no value: `kind` names what the program fails with."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def evaluate(text: str, names: Mapping[str, Value]) -> Value:
    """The value of an expression.

    Raises:
        Wrong: it has none.
    """
    try:
        value: Value = _value(ast.parse(text.strip(), mode="eval").body, names)
    except Wrong:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError) as bad:
        raise Wrong("SyntaxError", f"`{text[:80]}` is no expression") from bad
    except ZeroDivisionError as bad:
        raise Wrong("ZeroDivision", f"`{text[:80]}` divides by zero") from bad
    except (TypeError, IndexError, OverflowError) as bad:
        raise Wrong("TypeError", str(bad)) from bad
    return value


def _value(node: ast.expr, names: Mapping[str, Value]) -> Any:
    match node:
        case ast.Constant(value=int() | str() as constant):
            return int(constant) if isinstance(constant, bool) else constant
        case ast.List(elts=items):
            return [_value(item, names) for item in items]
        case ast.Name(id=name):
            if name not in names:
                raise Wrong("NameError", f"there is no `{name}`")
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _bounded(BINARY[type(op)](_value(left, names), _value(right, names)))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
            return int(COMPARE[type(op)](_value(left, names), _value(right, names)))
        case ast.Subscript(value=value, slice=index):
            return _value(value, names)[_value(index, names)]
        case ast.Call(func=ast.Name(id="len"), args=[argument], keywords=[]):
            return len(_value(argument, names))
    raise Wrong("SyntaxError", "only numbers, texts, lists, + - * // %, comparisons, indexes and len()")


def _bounded(value: Any) -> Any:
    size = value.bit_length() if isinstance(value, int) else len(value)
    if size > LONGEST:
        raise Wrong("TooLarge", f"a value of more than {LONGEST} characters")
    return value


def shown(value: Value) -> str:
    """A value as a debugger shows it."""
    return repr(value)


def filled(text: str, names: Mapping[str, Value]) -> str:
    """Replace each `{expression}` of a text by its value; one without a value is shown as its error."""
    out, rest = "", text
    while rest:
        before, brace, rest = rest.partition("{")
        out += before
        if not brace:
            break
        inside, closed, rest = rest.partition("}")
        if not closed:
            return out + brace + inside
        try:
            found = evaluate(inside, names)
            out += found if isinstance(found, str) else shown(found)
        except Wrong as wrong:
            out += "{" + str(wrong) + "}"
    return out
