"""A file's outline by indentation and brackets, where no parser reads it: a syntax error, no grammar."""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec.structs import replace

from dapwright.core.source.lexis import Kind, Light
from dapwright.core.source.outline import Function, Outline, Statement
from dapwright.core.source.text import SourceFile

HEAD = re.compile(r"\s*(?:(?:async\s+)?(def)|(class))\s+(\w+)")
BEGINS = re.compile(r"\s*(?:async\s+def|def|class|return|import|from|while|raise|try)\b")
"""What begins a statement even where a bracket above was never closed."""
DOCUMENTS = re.compile(r"\s*[rRuU]?(?:'''|\"\"\")")
OPEN, CLOSED = "([{", ")]}"


def depth(text: str) -> int:
    """Return how far a line is indented, tabs to the next multiple of eight, as Python counts."""
    blank = text[: len(text) - len(text.lstrip())].lstrip("\f")
    return len(blank.expandtabs(8))


def outline(file: SourceFile, kind: Callable[[int], Kind]) -> Outline:
    """Read a file by its tokens: logical lines are statements, indentation ends functions (in Python alone)."""
    statements = list(logical(file, kind))
    owner = {line: s for s in statements for line in range(s.first, s.last + 1)}
    if file.language != "python":
        return Outline((), {}, frozenset(line for line in range(1, len(file.lines) + 1) if kind(line) == "code"))
    functions = tuple(functions_of(file, statements))
    heads = {f.line for f in functions}
    owner = {n: Statement(s.first, s.last, "definition") if s.first in heads else s for n, s in owner.items()}
    return Outline(functions, owner, frozenset(s.first for s in statements if s.kind == "code"))


def logical(file: SourceFile, kind: Callable[[int], Kind]) -> Iterator[Statement]:
    """Yield the logical lines: brackets, literals of several lines and a backslash join lines."""
    light = Light(file)
    first, last, depth_now, joined = 0, 0, 0, False
    for number, text in enumerate(file.lines, 1):
        if kind(number) in ("blank", "comment") and not (first and (depth_now or joined)):
            continue
        if first and depth_now and begins(text, file.line(first)):
            yield Statement(first, last)
            first, depth_now = 0, 0
        first = first or number
        last = last if kind(number) in ("blank", "comment") else number
        bare = without_strings(text, number, light)
        depth_now = max(0, depth_now + sum(c in OPEN for c in bare) - sum(c in CLOSED for c in bare))
        after = light.inside(number + 1)
        joined = bare.rstrip().endswith("\\") or bool(after and not after.comment)
        if not depth_now and not joined:
            yield Statement(first, number, "docstring" if DOCUMENTS.match(file.line(first)) else "code")
            first = 0
    if first:
        yield Statement(first, len(file.lines))


def begins(text: str, above: str) -> bool:
    """Tell whether a line begins a statement though a bracket of the one above was never closed."""
    return bool(BEGINS.match(text)) or (depth(text) < depth(above) and bool(re.match(r"\s*\w+\s*(?:=[^=]|\()", text)))


def without_strings(text: str, line: int, light: Light) -> str:
    """Return a line's text with its literals and comments blanked, so that its brackets count."""
    inside = light.inside(line)
    start = 0 if not inside else inside.end_column if inside.end == line else len(text)
    bare = " " * start + text[start:]
    for _, first, end in light.scanner.tokens(text, start):
        bare = bare[:first] + " " * (end - first) + bare[end:]
    return bare


def functions_of(file: SourceFile, statements: list[Statement]) -> list[Function]:
    """Return the functions and classes of a Python file; each ends before a line no deeper than its head."""
    found: list[Function] = []
    scopes: list[tuple[int, Function]] = []
    decorators, last = 0, 0
    for statement in statements:
        text = file.line(statement.first)
        level, match = depth(text), HEAD.match(text)
        while scopes and scopes[-1][0] >= level:
            found.append(ended(scopes.pop()[1], last))
        if scopes and not scopes[-1][1].body and statement.kind == "code":
            scopes[-1] = (scopes[-1][0], replace(scopes[-1][1], body=statement.first))
        if match:
            qualified = f"{scopes[-1][1].qualified}.{match[3]}" if scopes else match[3]
            kind: Literal["function", "class"] = "function" if match[1] else "class"
            head = Function(match[3], qualified, decorators or statement.first, statement.first, 0, 0, kind)
            scopes.append((level, head))
        decorators = (decorators or statement.first) if text.lstrip().startswith("@") else 0
        last = statement.last
    found += [ended(function, last) for _, function in reversed(scopes)]
    return sorted(found, key=lambda f: (f.first, -f.last))


def ended(function: Function, last: int) -> Function:
    """Return a function with its last line, and with its head for a body where it has none."""
    return replace(function, last=max(last, function.line), body=function.body or function.line)
