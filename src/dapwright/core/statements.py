"""What one statement of a Python program assigns, and what an expression reads and calls."""

import ast
from collections.abc import Iterator
from typing import Literal

from dapwright.core.scopes import named

How = Literal["assigned", "element", "loop", "argument", "returned"]
MUTATORS = frozenset(
    (
        *("append", "extend", "insert", "pop", "remove", "clear", "update", "add", "discard"),
        *("sort", "reverse", "setdefault"),
    )
)
"""Methods that change what they are called on."""


def assignments(body: Iterator[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.expr, ast.expr | None, How]]:
    """Statements with what they assign; a call of a method that changes its object counts as one."""
    for node in body:
        if isinstance(node, ast.Assign):
            for one in node.targets:
                for part, value in _paired(one, node.value):
                    yield node, part, value, "element" if isinstance(part, ast.Subscript) else "assigned"
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            yield node, node.target, node.value, "element" if isinstance(node.target, ast.Subscript) else "assigned"
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            for part in _parts(node.target):
                yield node, part, node.iter, "loop"
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                for part in _parts(item.optional_vars) if item.optional_vars is not None else ():
                    yield node, part, item.context_expr, "assigned"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            method = node.value.func
            if isinstance(method, ast.Attribute) and method.attr in MUTATORS:
                yield node, method.value, node.value, "element"


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """`a, b = x, y` part by part, where both sides are written out."""
    if isinstance(target, (ast.Tuple, ast.List)):
        same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        plain = same and not any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))  # type: ignore[attr-defined]
        for index, one in enumerate(target.elts):
            yield from _paired(one, value.elts[index] if plain else value)  # type: ignore[attr-defined]
    else:
        yield target, value


def _parts(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [part for one in target.elts for part in _parts(one)]
    return [target]


def harmless(value: ast.AST) -> bool:
    """Whether evaluating it once more calls and changes nothing, by its text."""
    doing = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.GeneratorExp)
    return not any(isinstance(node, doing) for node in ast.walk(value))


def called(value: ast.expr) -> Iterator[str]:
    """The names of the functions and methods that an expression calls."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and (name := named(node.func)[1]):
            yield name


def inputs(value: ast.expr) -> tuple[str, ...]:
    """Names and attributes that an expression reads, functions that it calls left out."""
    callees = {id(node.func) for node in ast.walk(value) if isinstance(node, ast.Call)}
    loops = [node.target for node in ast.walk(value) if isinstance(node, ast.comprehension)]
    bound = {part.id for target in loops for part in ast.walk(target) if isinstance(part, ast.Name)}
    bound |= {one.arg for node in ast.walk(value) if isinstance(node, ast.Lambda) for one in node.args.args}
    found, inner = [], set[int]()
    for node in ast.walk(value):
        if id(node) in callees or id(node) in inner:
            if isinstance(node, ast.Attribute) and harmless(node) and not isinstance(node.value, ast.Name):
                found.append(ast.unparse(node.value))  # of `self.rates.rate()`: `self.rates`
                inner |= {id(part) for part in ast.walk(node)}
            continue
        if isinstance(node, ast.Subscript) and _plain_item(node):
            inner |= {id(part) for part in ast.walk(node.value)}
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Attribute):
            inner |= {id(part) for part in ast.walk(node) if part is not node}
            if not harmless(node):
                continue
        if isinstance(node, (ast.Attribute, ast.Name)):
            found.append(ast.unparse(node))
    return tuple(name for name in dict.fromkeys(found) if name.split(".")[0].split("[")[0] not in bound)[:8]


def _plain_item(node: ast.Subscript) -> bool:
    """Whether it is one item of a name or an attribute, and looking at it once more does nothing."""
    return (
        isinstance(node.value, (ast.Name, ast.Attribute)) and not isinstance(node.slice, ast.Slice) and harmless(node)
    )
