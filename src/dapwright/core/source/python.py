"""Python by its own syntax tree and line table: functions, statements and executable lines."""

import ast
import warnings
from collections.abc import Callable, Iterator
from types import CodeType

from msgspec.structs import replace

from dapwright.core.source.outline import Function, Outline, Statement

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
KindOf = Callable[[int], str]
"""What a line is (see lexis.Kind)."""


def outline(text: str, kind: KindOf, executable: frozenset[int] | None = None) -> Outline | None:
    """Read a module's text; None where this interpreter cannot parse it.

    `executable` is the line table of the interpreter that will run it, where that is another.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
            known = executable if executable is not None else frozenset(table(compile(text, "<source>", "exec")))
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None
    reader = Reader(kind, known)
    reader.block(tree.body, "", docstring=True)
    return Outline(tuple(reader.functions), reader.owner, known, exact=True)


def table(code: CodeType) -> Iterator[int]:
    """Yield the lines of a code object's line table, those of the code inside it included.

    A function's own `def` line is told by its RESUME instruction too, but only the code around it stops there.
    """
    for start, end, line in code.co_lines():
        if (
            line
            and end > start
            and not (line == code.co_firstlineno and code.co_name != "<module>" and start == first(code))
        ):
            yield line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from table(constant)


def first(code: CodeType) -> int:
    """Return the offset of the first entry that has a line: the function's entry, where no statement runs."""
    return next((start for start, _, line in code.co_lines() if line), -1)


class Reader:
    """Walks the statements of a tree, from the outer to the inner."""

    def __init__(self, kind: KindOf, executable: frozenset[int]) -> None:
        self.kind, self.executable = kind, executable
        self.functions: list[Function] = []
        self.owner: dict[int, Statement] = {}

    def block(self, body: list[ast.stmt], scope: str, *, docstring: bool = False) -> None:
        """Read the statements of one block."""
        for index, node in enumerate(body):
            if docstring and index == 0 and is_docstring(node):
                self.own(Statement(node.lineno, node.end_lineno or node.lineno, "docstring"))
            elif isinstance(node, Scope):
                self.scope(node, scope)
            else:
                self.statement(node, scope)

    def scope(self, node: Scope, outside: str) -> None:
        """Read a function or a class: decorators, head, body."""
        qualified = f"{outside}.{node.name}" if outside else node.name
        real = node.body[1:] if is_docstring(node.body[0]) and len(node.body) > 1 else node.body
        body, last = real[0].lineno, node.end_lineno or node.lineno
        body = min([body, *(d.lineno for d in getattr(real[0], "decorator_list", []))])
        start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        kind = "class" if isinstance(node, ast.ClassDef) else "function"
        self.functions.append(Function(node.name, qualified, start, node.lineno, body, last, kind))  # type: ignore[arg-type]
        for decorator in node.decorator_list:
            self.own(Statement(decorator.lineno, decorator.end_lineno or decorator.lineno, "decorator"))
        self.own(Statement(node.lineno, self.head(node.lineno, node.body[0]), "definition"))
        self.block(node.body, qualified, docstring=True)

    def statement(self, node: ast.stmt, scope: str) -> None:
        """Read a statement that is no definition: its own lines, then the blocks in it."""
        blocks = list(blocks_of(node))
        last = self.head(node.lineno, blocks[0][0]) if blocks else node.end_lineno or node.lineno
        if isinstance(node, ast.Match):
            last = max(node.lineno, node.subject.end_lineno or 0)
        self.own(Statement(node.lineno, last, entry=self.entry(node, last)))
        for handler in getattr(node, "handlers", []):
            self.own(Statement(handler.lineno, self.head(handler.lineno, handler.body[0])))
        for case in getattr(node, "cases", []):
            self.own(Statement(case.pattern.lineno, self.head(case.pattern.lineno, case.body[0])))
        for body in blocks:
            self.block(body, scope)

    def head(self, line: int, inner: ast.stmt) -> int:
        """Return the last line of a head: the last one with code before its block."""
        top = min([inner.lineno, *(d.lineno for d in getattr(inner, "decorator_list", []))])
        last = top - 1
        while last > line and self.kind(last) in ("blank", "comment"):
            last -= 1
        return last if last > line else line

    def entry(self, node: ast.stmt, last: int) -> int:
        """Return the line that runs first, where it is not the first line.

        `(` alone on a line has no instruction; the line of an `assert` whose test is below it runs on failure only.
        """
        first: int = node.test.lineno if isinstance(node, ast.Assert) else node.lineno
        if first == node.lineno and node.lineno in self.executable:
            return 0
        return next((n for n in range(first, last + 1) if n in self.executable and n != node.lineno), 0)

    def own(self, statement: Statement) -> None:
        """Give a statement its lines; one that shares its line with an earlier one leaves it that line."""
        for line in range(statement.first, statement.last + 1):
            if line not in self.owner or self.owner[line].first < statement.first:
                self.owner[line] = statement


def blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a statement, in order."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        value = getattr(node, name, None)
        if not isinstance(value, list) or not value:
            continue
        if name in ("handlers", "cases"):
            yield from (inner.body for inner in value)
        else:
            yield value


def is_docstring(node: ast.stmt) -> bool:
    """Tell whether a statement is a bare string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def part(lines: tuple[str, ...], first: int, last: int, kind: KindOf) -> Outline | None:
    """Read some top-level statements of a module, lines `first` to `last`; None where they do not parse alone."""
    shift = first - 1
    found = outline("\n".join(lines[shift:last]) + "\n", lambda line: kind(line + shift))
    if found is None or not shift:
        return found
    functions = tuple(
        replace(f, first=f.first + shift, line=f.line + shift, body=f.body + shift, last=f.last + shift)
        for f in found.functions
    )
    moved = {
        line + shift: replace(s, first=s.first + shift, last=s.last + shift, entry=s.entry + shift if s.entry else 0)
        for line, s in found.owner.items()
    }
    return Outline(functions, moved, frozenset(n + shift for n in found.executable), exact=True)
