"""Who could have written a value, by the syntax trees of a Python program: the statements that give it, and from what.

Rule: nothing here runs or guesses. A statement is a candidate; which of them gave the value, a run tells.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dapwright.core.scopes import Program, Scope, named, qualified
from dapwright.core.statements import How, assignments, called, harmless, inputs

LEVELS = 10
"""How many steps back the inputs of inputs are followed."""
MOST = 60
"""Statements that a second run looks at."""
SITES = 12
"""Places that call one function, and functions of one name, beyond which it cannot be told whose value it is."""
SAME_NAME = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be explained: a name of a scope, an attribute of any object, or what a function gives back."""

    kind: Literal["name", "attribute", "result"]
    name: str
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that gives a value to something."""

    gives: Wanted
    how: How
    target: str
    """As it is written there: `order.total`."""
    scope: Scope
    line: int
    statement: str
    inputs: tuple[str, ...] = ()
    """Names and attributes that it reads."""
    reads: tuple[Wanted, ...] = ()
    """What these are, in the same order."""
    results: tuple[Wanted, ...] = ()
    """What functions of the program, called there, give back."""
    value: str = ""
    """The expression of the value, where evaluating it once more has no effect."""
    whole: bool = False
    """The value is what the one function called there gives back, and nothing else."""
    place: str = ""
    """Of an element: the expression for where in its container."""

    @property
    def base(self) -> str:
        """Of `order.total`: `order`."""
        return self.target.rpartition(".")[0] if self.gives.kind == "attribute" else ""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found: what is asked for, and every statement that may have to do with its value."""

    wanted: Wanted
    writes: tuple[Write, ...]
    cut: bool = False
    """There were more than a run can look at."""


def search(program: Program, expression: str, file: str, line: int) -> Search | None:
    """Find the statements behind `expression` as it stands at a line; None where it is no name, attribute or item.

    A name is looked for in its own function or module, an attribute in every file, whatever the object is
    called there; a parameter at the calls of its function; a call at what the called function returns.
    """
    root = root_of(expression)
    if not root:
        return None
    scope = program.scope_at(file, line)
    wanted = meaning(program, root, scope)
    seen: set[Wanted] = set()
    found: dict[tuple[object, ...], Write] = {}
    ring = [wanted]
    for _ in range(LEVELS):
        fresh: list[Wanted] = []
        for one in ring:
            if one in seen:
                continue
            seen.add(one)
            for write in _writes(program, one):
                if len(found) >= MOST:
                    return Search(wanted, tuple(found.values()), cut=True)
                found.setdefault((write.scope.file, write.line, write.target, write.gives, write.value), write)
                fresh += [*write.reads, *write.results]
        ring = [one for one in fresh if one not in seen]
    return Search(wanted, tuple(found.values()), cut=bool(ring))


def root_of(expression: str) -> str:
    """The name or attribute that an expression is of: `rows[0].x` stays, `rows[0]` is `rows`; empty for any other."""
    node = _parsed(expression)
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


def place_of(expression: str) -> str:
    """Of an item, the expression for where it is in its container; empty of anything else, and of a slice."""
    node = _parsed(expression)
    inner = isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice)
    return ast.unparse(node.slice) if inner and isinstance(node.value, (ast.Name, ast.Attribute)) else ""  # type: ignore[union-attr]


def _parsed(expression: str) -> ast.expr | None:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except SyntaxError:
        return None


def meaning(program: Program, text: str, scope: Scope) -> Wanted:
    """What a name or an attribute stands for, read in a scope."""
    if "." in text:
        return Wanted("attribute", text.rpartition(".")[2])
    return Wanted("name", text, program.owner(text, scope))


def _writes(program: Program, wanted: Wanted) -> Iterator[Write]:
    if wanted.kind == "result":
        assert wanted.scope is not None
        yield from _returns(program, wanted)
        return
    scopes = program.scopes() if wanted.kind == "attribute" else program.writers(wanted.name, wanted.scope)
    for scope in scopes:
        for node, target, value, how in assignments(program.body(scope)):
            inner: ast.expr = target
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            if named(inner) == (wanted.kind, wanted.name):
                yield _write(program, wanted, scope, node, target, inner, value, how)
    if wanted.kind == "name" and wanted.scope is not None and wanted.name in program.parameters(wanted.scope):
        yield from _arguments(program, wanted)


def _returns(program: Program, wanted: Wanted) -> Iterator[Write]:
    assert wanted.scope is not None
    for node in program.body(wanted.scope):
        value: ast.expr | None = None
        if isinstance(node, ast.Return):
            value = node.value
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            value = node.value.value
        if value is not None:
            yield _made(program, wanted, "returned", wanted.scope, node, f"{wanted.scope.name}()", value)


def _arguments(program: Program, wanted: Wanted) -> Iterator[Write]:
    """What calls hand to a parameter. Nothing where a function of that name is called in too many places."""
    assert wanted.scope is not None
    sites = list(program.calls(wanted.scope))
    if len(sites) > SITES:
        return
    for scope, statement, call in sites:
        given = program.argument(wanted.scope, wanted.name, call)
        if given is not None:
            yield _made(program, wanted, "argument", scope, statement, wanted.name, given)


def _write(
    program: Program,
    wanted: Wanted,
    scope: Scope,
    node: ast.stmt,
    target: ast.expr,
    inner: ast.expr,
    value: ast.expr | None,
    how: How,
) -> Write:
    made = _made(program, wanted, how, scope, node, ast.unparse(inner), value, again=isinstance(node, ast.AugAssign))
    place = ""
    if isinstance(target, ast.Subscript) and target.value is inner and not isinstance(target.slice, ast.Slice):
        place = ast.unparse(target.slice) if harmless(target.slice) else ""
    elif isinstance(node, ast.Expr) and isinstance(value, ast.Call) and named(value.func)[1] == "append":
        place = f"len({made.target})" if harmless(inner) else ""
    return Write(**{name: getattr(made, name) for name in Write.__slots__ if name != "place"}, place=place)


def _made(
    program: Program,
    wanted: Wanted,
    how: How,
    scope: Scope,
    node: ast.stmt,
    target: str,
    value: ast.expr | None,
    *,
    again: bool = False,
) -> Write:
    read = inputs(value) if value is not None else ()
    if again:  # `total += price` reads the total too: its last write is a link of its own
        read = tuple(dict.fromkeys((*read, target)))
    reads = tuple(meaning(program, root_of(one), scope) for one in read)
    names = [*called(value)] if value is not None else []
    results = tuple(
        Wanted("result", other.name, other)
        for name in dict.fromkeys(names)
        for other in _few(program.functions(name))
        if not qualified(other).endswith("__init__")
    )
    plain = ast.unparse(value) if value is not None and how in ("argument", "returned") and harmless(value) else ""
    whole = (
        isinstance(value, ast.Call)
        and len(results) == 1
        and results[0].scope is not None
        and named(value.func)[1] == qualified(results[0].scope)
    )
    line = program.lines(scope.file)[node.lineno - 1].strip()
    return Write(wanted, how, target, scope, node.lineno, line, read, reads, results, plain, whole)


def _few(found: list[Scope]) -> list[Scope]:
    return found if len(found) <= SAME_NAME else []
