"""Who could have written a value, by the syntax tree of Python: the statements that assign it, and from what."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

LEVELS = 3
"""How many steps back the inputs of inputs are followed."""
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that assigns a target."""

    target: str
    line: int
    statement: str
    function: str
    inputs: tuple[str, ...]
    """Names and attributes that the statement reads."""
    base: str = ""
    """Of `order.total`: `order`."""


def writes(text: str, expression: str, line: int) -> list[Write]:
    """Statements that may have given `expression`, seen at `line` of `text`, its value, and its inputs theirs.

    A name is looked for in the function around `line`; an attribute in the whole file, whatever
    the object is called there; of an item, what it is an item of. Empty where none is found.
    """
    module = ast.parse(text)
    wanted, seen, found = [root_of(expression)], set[str](), list[Write]()
    for _ in range(LEVELS):
        fresh: list[str] = []
        for target in wanted:
            if target in seen or not target:
                continue
            seen.add(target)
            mine = list(_of(module, target, line, text))
            found += mine
            fresh += [name for write in mine for name in write.inputs]
        wanted = fresh
    return list({(one.line, one.target): one for one in found}.values())


def parameters(text: str, line: int) -> tuple[str, ...]:
    """The parameters of the function around a line."""
    scope = _scope(ast.parse(text), line)
    if isinstance(scope, ast.Module):
        return ()
    given = scope.args
    return tuple(one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))


def root_of(expression: str) -> str:
    """The name or attribute that an expression is of: `rows[0].x` stays, `rows[0]` is `rows`."""
    try:
        node: ast.expr = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return ""
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


def _scope(module: ast.Module, line: int) -> Scope:
    around: Scope = module
    functions = [node for node in ast.walk(module) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for node in functions:
        if node.lineno <= line <= (node.end_lineno or 0) and line >= getattr(around, "lineno", 0):
            around = node
    return around


def _of(module: ast.Module, target: str, line: int, text: str) -> Iterator[Write]:
    attribute = target.rsplit(".", 1)[1] if "." in target else ""
    scope: ast.AST = module if attribute else _scope(module, line)
    if not attribute and not isinstance(scope, ast.Module) and not any(_assigned(scope, target)):
        scope = module  # a global
    for node, assigned in _assignments(scope):
        for one in assigned:
            while isinstance(one, ast.Subscript):
                one = one.value
            if attribute and isinstance(one, ast.Attribute) and one.attr == attribute:
                yield _write(node, ast.unparse(one), module, text, base=ast.unparse(one.value))
            elif not attribute and isinstance(one, ast.Name) and one.id == target:
                yield _write(node, target, module, text)


def _assigned(scope: ast.AST, name: str) -> Iterator[bool]:
    for _, assigned in _assignments(scope):
        yield from (
            True for one in assigned for part in ast.walk(one) if isinstance(part, ast.Name) and part.id == name
        )


MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "update",
        "add",
        "discard",
        "sort",
        "reverse",
        "setdefault",
    ]
)


def _assignments(scope: ast.AST) -> Iterator[tuple[ast.stmt, list[ast.expr]]]:
    """Statements with what they assign; a call of a method that changes its object counts as one."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            yield node, [part for one in node.targets for part in _parts(one)]
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            yield node, [node.target]
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            yield node, _parts(node.target)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr in MUTATORS:
                yield node, [called.value]


def _parts(target: ast.expr) -> list[ast.expr]:
    return (
        [part for one in target.elts for part in _parts(one)] if isinstance(target, (ast.Tuple, ast.List)) else [target]
    )


def _write(node: ast.stmt, target: str, module: ast.Module, text: str, *, base: str = "") -> Write:
    scope = _scope(module, node.lineno)
    value = getattr(node, "value", None) or getattr(node, "iter", None)
    inputs = _inputs(value) if value is not None else ()
    statement = text.splitlines()[node.lineno - 1].strip()
    name = "<module>" if isinstance(scope, ast.Module) else scope.name
    return Write(target, node.lineno, statement, name, inputs, base)


def _inputs(value: ast.expr) -> tuple[str, ...]:
    """Names and attributes that an expression reads, functions that it calls left out."""
    called = {id(node.func) for node in ast.walk(value) if isinstance(node, ast.Call)}
    loops = [node.target for node in ast.walk(value) if isinstance(node, ast.comprehension)]
    bound = {part.id for target in loops for part in ast.walk(target) if isinstance(part, ast.Name)}
    found, inner = [], set[int]()
    for node in ast.walk(value):
        if id(node) in called or id(node) in inner:
            continue
        if isinstance(node, ast.Attribute):
            inner |= {id(part) for part in ast.walk(node) if part is not node}
        if isinstance(node, (ast.Attribute, ast.Name)):
            found.append(ast.unparse(node))
    return tuple(name for name in dict.fromkeys(found) if name.split(".")[0] not in bound)[:8]
