"""What a Python expression is, by its syntax tree: whether it changes anything, whether it can be read."""

import ast
import textwrap

from dapwright.core.errors import NotAllowed, UsageError

HARMLESS = frozenset(
    (
        *("len", "type", "id", "isinstance", "issubclass", "callable", "repr", "str", "abs", "round"),
        *("int", "float", "bool", "ord", "chr", "hex", "bin", "hash"),
    )
)
"""Built-in functions that change nothing, nor use up what they are given."""

MUTATORS = frozenset(
    "append extend insert pop popitem popleft appendleft remove clear sort reverse setdefault discard".split()  # noqa: SIM905
)
"""Methods of the built-in containers that change them."""
CHANGING = frozenset({"setattr", "delattr", "exec", "next"})


def parsed(expression: str) -> ast.Expression | None:
    """The tree of an expression; None where it is none, or newer than the Python that runs us."""
    try:
        return ast.parse(textwrap.dedent(expression).strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def context_of(expression: str) -> str:
    """debugpy runs statements in `repl` alone, where it hides the value None (1.8.22)."""
    return "repl" if parsed(expression) is None else "watch"


def refuse_effects(expression: str) -> None:
    """Refuse what may change the program: statements, assignments, calls of anything but a few built-ins.

    Raises:
        NotAllowed: with what was found.
    """
    tree = parsed(expression)
    if tree is None:
        raise NotAllowed(
            f"`{expression[:200]}` is no expression: statements change the program", "pass `allowSideEffects: true`"
        )
    for node in ast.walk(tree):
        found = _effect(node)
        if found:
            raise NotAllowed(f"`{expression[:200]}` has {found}", "pass `allowSideEffects: true` to run it")


def _effect(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in HARMLESS:
            return ""
        case ast.Call(func=called):
            return f"a call of `{ast.unparse(called)[:100]}`"
        case ast.NamedExpr(target=target):
            return f"an assignment to `{ast.unparse(target)}`"
        case ast.Await() | ast.Yield() | ast.YieldFrom():
            return f"`{ast.unparse(node)[:100]}`"
    return ""


def refuse_writes(expression: str) -> None:
    """Refuse what changes the program for certain where it should only look: assignments, and the known mutators.

    Raises:
        NotAllowed: with what was found. What cannot be read is left to the program, whose Python may be newer.
    """
    tree = parsed(expression)
    for node in ast.walk(tree) if tree is not None else ():
        if found := _write(node):
            raise NotAllowed(
                f"`{expression[:200]}` has {found}, which changes the program at every hit",
                "look without changing; to try a change once use evaluate_expression, or `set` of a probe",
            )


def _write(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in CHANGING:
            return f"a call of `{name}`"
        case ast.Call(func=ast.Attribute(attr=name)) if name in MUTATORS:
            return f"a call of `.{name}`"
        case ast.Call():
            return ""
    return _effect(node)


def check_condition(condition: str) -> None:
    """Refuse a condition that Python cannot read.

    Raises:
        UsageError: with the parser's words.
    """
    text = condition.strip()
    try:
        ast.parse(text, mode="eval")
    except SyntaxError as wrong:
        if "f-string" in str(wrong):
            return  # quotes nest since 3.12, and the program's Python may be newer than ours
        raise UsageError(f"the condition `{text}` cannot be read: {wrong.msg}", _hint(text)) from None
    except (ValueError, RecursionError, MemoryError) as wrong:
        raise UsageError(f"the condition cannot be read: {wrong}", "pass a Python expression") from None


def _hint(text: str) -> str:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return "pass a Python expression"
    assigns = any(isinstance(node, ast.Assign) for node in tree.body)
    return "`==` compares, `=` assigns" if assigns else "pass an expression, not a statement"
