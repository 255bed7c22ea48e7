"""Where a breakpoint that was asked of a line can bind: there, or forward in the same function, or nowhere."""

import re
from itertools import islice

from dapwright.core.anchors.words import neighbours, shown
from dapwright.core.errors import UsageError
from dapwright.core.source import Function, Statement, Structure


def move(structure: Structure, line: int) -> tuple[int, str]:
    """Return the line that can hold a breakpoint asked of `line`, and what to tell ("" for nothing).

    Raises:
        UsageError: the file has no such line, or nothing after it in its function can hold one.
    """
    require(structure, line)
    target = place(structure, line)
    if target is None:
        raise refusal(structure, line)
    told = (
        [f"requested {line}, bound to {target}: `{shown(structure.file, target)}` ({why(structure, line)})"]
        if target != line
        else []
    )
    fires = definition(structure, target)
    return target, "; ".join(told + ([fires] if fires else []))


def require(structure: Structure, line: int) -> None:
    """Refuse a line that the file does not have."""
    count = len(structure.file.lines)
    if 1 <= line <= count:
        return
    if not count:
        raise UsageError(f"`{structure.file.path}` is empty, so it has no line {line}", "name another file")
    last = f"its last line is {count}: `{shown(structure.file, count)}`"
    raise UsageError(
        f"`{structure.file.path}` has {count} line{'s' * (count != 1)}, so there is no line {line}; {last}",
        f"give a line from 1 to {count}, or name the place by its text: `statement`",
        by_line=f"give a line from 1 to {count}",
    )


def place(structure: Structure, line: int) -> int | None:
    """Return the first line from `line` on, in the same function, that can hold a breakpoint."""
    statement = structure.statement_at(line)
    function = structure.function_at(line)
    if structure.blind and passed_over(structure, statement, function, line):
        pass
    elif function and headless(structure, statement, function, line):
        line = max(line, function.body - 1)
        statement = None
    elif statement and statement.kind != "docstring":
        entry = statement.entry or statement.first
        if line == statement.first and structure.is_executable(line) and not statement.entry:
            return line
        if structure.is_executable(entry) or not structure.outline(line).exact:
            return entry
    elif structure.is_executable(line) or (not structure.outline(line).exact and structure.kind(line) == "code"):
        return line
    if left_behind(structure, line, function):
        return None
    last = function.last if function else len(structure.file.lines)
    start = statement.last if statement and not opens(structure, statement) else line
    return next((n for n in range(start + 1, last + 1) if can(structure, n, function)), None)


def headless(structure: Structure, statement: Statement | None, function: Function, line: int) -> bool:
    """Tell whether a line is the head of a Java method: no code is there, but in a constructor, which calls another."""
    if structure.file.language != "java" or statement is None or statement.kind != "definition":
        return False
    return line < function.body and function.qualified.split(".")[-2:] != [function.name, function.name]


TRIED = 5
"""How many lines of a statement, and how many after it, are tried."""
OPENS = re.compile(r"\s*(?:repeat|do|begin|else|\{)\s*$")
"""A statement's first line that holds nothing that runs."""


def opens(structure: Structure, statement: Statement) -> bool:
    """Tell whether a statement's first line only opens it."""
    return OPENS.match(structure.code(statement.first)) is not None


def passed_over(structure: Structure, statement: Statement | None, function: Function | None, line: int) -> bool:
    """Tell whether a debugger that knows no line table would wait in vain: at a head, a closing word, an arm."""
    if statement is None or opens(structure, statement):
        return True
    return statement.kind == "definition" and function is not None and function.body > line


def can(structure: Structure, line: int, function: Function | None) -> bool:
    """Tell whether a line is where a statement of this very function begins, and can hold a breakpoint."""
    statement = structure.statement_at(line)
    if statement and (
        (statement.entry or statement.first) != line or (structure.blind and opens(structure, statement))
    ):
        return False
    return structure.is_executable(line) and owner(structure, line) == owner_of(function)


def later(structure: Structure, line: int) -> list[int]:
    """Return where to look for a statement's code that is not on its line: further down in it, then after it."""
    statement, function = structure.statement_at(line), structure.function_at(line)
    end = statement.last if statement else line
    inner = [n for n in range(line + 1, end + 1) if structure.statement_at(n) == statement and names(structure, n)]
    last = function.last if function else len(structure.file.lines)
    return inner[:TRIED] + list(islice((n for n in range(end + 1, last + 1) if can(structure, n, function)), TRIED))


def names(structure: Structure, line: int) -> bool:
    """Tell whether a line has more code than brackets."""
    return structure.kind(line) == "code" and re.search(r"\w", structure.code(line)) is not None


def end(structure: Structure, line: int) -> int:
    """Return the last of the lines from a statement's first on that are its own, before any block of it."""
    statement = structure.statement_at(line)
    if not structure.blind or statement is None or statement.first != line:
        return line
    last = line
    while last < statement.last and structure.statement_at(last + 1) in (statement, None):
        last += 1
    return last


def owner(structure: Structure, line: int) -> int:
    """Return which function runs a line: the head and the decorators of a function run in the one around it."""
    function = structure.function_at(line)
    statement = structure.statement_at(line)
    if function and statement and statement.kind in ("definition", "decorator") and line < function.body:
        outer = [
            f for f in structure.outline(line).functions if f.kind == "function" and f.holds(line) and f != function
        ]
        function = min(outer, key=lambda f: f.last - f.first, default=None)
    return owner_of(function)


def owner_of(function: Function | None) -> int:
    """Name a function by its line, the module by 0."""
    return function.line if function else 0


def left_behind(structure: Structure, line: int, function: Function | None) -> bool:
    """Tell whether a blank line only trails a function's end, so that going on from it would leave the function."""
    if structure.kind(line) != "blank":
        return False
    above = line
    while above > 1 and structure.kind(above) in ("blank", "comment"):
        above -= 1
    return structure.function_at(above) != function


def why(structure: Structure, line: int) -> str:
    """Say why a line cannot hold a breakpoint itself."""
    statement = structure.statement_at(line)
    if statement and statement.kind == "docstring":
        return f"line {line} is documentation, no code"
    if (
        statement
        and line > statement.first
        and not (statement.kind == "definition" and structure.file.language == "java")
    ):
        return f"line {line} is inside the statement that begins on line {statement.first}"
    if statement and statement.kind == "definition" and structure.blind:
        return f"line {line} is the head of a function, where its debugger never stops"
    if statement and statement.kind == "definition" and structure.file.language == "java":
        return f"line {line} is the head of a method, where no code is"
    if statement:
        return "that is where this statement begins to run"
    match structure.kind(line):
        case "blank":
            return f"line {line} is blank"
        case "comment":
            return f"line {line} is a comment"
        case _:
            return f"line {line} has no code of its own"


def definition(structure: Structure, line: int) -> str:
    """Warn of a line that runs when a function or class is defined, not when it is called; "" for others."""
    statement = structure.statement_at(line)
    if structure.file.language != "python" or not statement or statement.kind == "code":
        return ""
    around = [f for f in structure.outline(line).functions if f.holds(line)]
    scope = min(around, key=lambda f: f.last - f.first, default=None)
    if scope is None or scope.body <= line:
        return ""
    what = {"definition": "class" if scope.kind == "class" else "def", "decorator": "decorator"}.get(
        statement.kind, "docstring"
    )
    if scope.kind == "class":
        return f"line {line} is the {what} line of `{scope.qualified}`: it runs once, when the class is defined"
    return (
        f"line {line} is the {what} line of `{scope.qualified}`: it fires when the function is defined, "
        f"not when it is called; its body begins at {scope.body}: `{shown(structure.file, scope.body)}`"
    )


def near(structure: Structure, line: int) -> list[int]:
    """Return the nearest lines above and below that can hold a breakpoint, whatever function they are in."""
    above = next((n for n in range(line - 1, 0, -1) if starts(structure, n)), 0)
    below = next((n for n in range(line + 1, len(structure.file.lines) + 1) if starts(structure, n)), 0)
    return [n for n in (above, below) if n]


def starts(structure: Structure, line: int) -> bool:
    """Tell whether a statement that can hold a breakpoint begins on a line."""
    statement = structure.statement_at(line)
    return structure.is_executable(line) and (statement is None or (statement.entry or statement.first) == line)


def refusal(structure: Structure, line: int) -> UsageError:
    """Make the error of a line that nothing after it in its function can stand in for."""
    function = structure.function_at(line)
    where = f" of `{function.qualified}`" if function else ""
    choices = [f"{n}: `{shown(structure.file, n)}`" for n in near(structure, line)]
    return UsageError(
        f"line {line} of `{structure.file.path}` cannot hold a breakpoint, and no line after it{where} can: "
        f"{why(structure, line)}\n{neighbours(structure.file, line)}",
        f"the nearest lines that can: {'; '.join(choices)}"
        if choices
        else "no line of this file can hold a breakpoint",
    )


def shifted(structure: Structure, line: int) -> str:
    """Warn of a line that V8 counts otherwise than everybody else does; "" for others.

    ECMAScript (12.3 Line Terminators) ends a line at U+2028 and U+2029, within a literal too.
    """
    if structure.file.language not in ("javascript", "typescript", "tsx"):
        return ""
    before = structure.file.text[: structure.file.starts[line - 1]]
    count = before.count("\u2028") + before.count("\u2029")
    if not count:
        return ""
    return (
        f"{count} U+2028 or U+2029 above end lines for V8 alone: it stops {count} above what is asked, "
        f"and tells {count} more than the line; write them as \\u2028"
    )
