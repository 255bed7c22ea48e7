"""Find the lines that a statement names: whole lines first, parts of lines only where there is no whole one."""

import re

from msgspec import Struct

from dapwright.core.anchors.words import clipped
from dapwright.core.errors import UsageError
from dapwright.core.source import Light, SourceFile, Structure, of_text


class Wanted(Struct, frozen=True):
    """A statement that was asked for, cut up: its lines as written and their code, blank ones left out."""

    text: str
    raw: tuple[str, ...]
    code: tuple[str, ...]


class Found(Struct, frozen=True):
    """What a search found: the first lines of the matches, and the lines where only a comment or docstring says it."""

    lines: tuple[int, ...]
    exact: bool
    silent: tuple[int, ...] = ()


def wanted(file: SourceFile, statement: str) -> Wanted:
    """Read a statement as its language does.

    Raises:
        UsageError: it is blank, or a comment.
    """
    fragment = of_text(file.path, statement, file.language)
    lexis = Light(fragment)
    pairs = [(line.strip(), lexis.code(n).strip()) for n, line in enumerate(fragment.lines, 1) if line.strip()]
    if not pairs:
        raise UsageError("`statement` is blank, and a blank line runs nothing", "quote the code of the line to stop at")
    if not any(code for _, code in pairs):
        raise UsageError(
            f"`statement` is a comment, and a comment runs nothing: `{clipped(statement.strip())}`",
            "quote the code of the line to stop at",
        )
    return Wanted(statement.strip(), tuple(raw for raw, _ in pairs), tuple(code for _, code in pairs))


def search(structure: Structure, wanted: Wanted, inside: tuple[int, int] | None = None) -> Found:
    """Find a statement in a file, or between two lines of it: exact and inexact matches never mix."""
    if len(wanted.raw) > 1:
        return block(structure, wanted, inside)
    code, raw = wanted.code[0], wanted.raw[0]
    exact, strings, loose, silent = list[int](), list[int](), list[int](), list[int]()
    for line in structure.file.occurrences(code, inside):
        if structure.file.line(line).strip() == code and plainly(structure, line):
            exact.append(line)
            continue
        text = structure.code(line).strip()
        whole = text == code or (structure.file.line(line).strip() == raw and text)
        if code not in text or is_docstring(structure, line):
            silent.append(line)
        elif whole:
            (strings if in_literal(structure, line) else exact).append(line)
        else:
            loose.append(line)
    lines = exact or strings or loose
    return Found(tuple(lines), bool(exact or strings), (*silent, *(strings if exact else [])))


QUOTES = re.compile(r"\s*[rRuU]?['\"]")
"""How a line begins that may be documentation."""


def plainly(structure: Structure, line: int) -> bool:
    """Tell whether a line that equals a statement's code needs no closer look: it begins in no comment or literal."""
    text = structure.file.line(line)
    if structure.lexis.inside(line) is not None or QUOTES.match(text):
        return False
    # `return` begins as a raw string may: the marks read it as they read the statement, a grammar is asked
    raw = text.lstrip()[:1] in "rRuU"
    return not raw or isinstance(structure.lexis, Light) or not structure.lexis.comments(line)


def in_literal(structure: Structure, line: int) -> bool:
    """Tell whether a line begins inside a literal: its kind is `string`, which costs less to ask than the kind."""
    inside = structure.lexis.inside(line)
    return inside is not None and not inside.comment


def is_docstring(structure: Structure, line: int) -> bool:
    """Tell whether a line is only documentation: no code runs there."""
    if not QUOTES.match(structure.file.line(line)) and not in_literal(structure, line):
        return False
    statement = structure.statement_at(line)
    return statement is not None and statement.kind == "docstring"


def block(structure: Structure, wanted: Wanted, inside: tuple[int, int] | None = None) -> Found:
    """Find a statement of several lines, anchored by its first line of code; blanks around and between do not count."""
    lead = next(i for i, code in enumerate(wanted.code) if code)
    exact, loose, silent = list[int](), list[int](), list[int]()
    for line in structure.file.occurrences(wanted.code[lead], inside):
        first = back(structure, line, lead)
        if first is None:
            continue
        if matches(structure, first, wanted, loosely=False):
            (silent if is_docstring(structure, line) else exact).append(line)
        elif matches(structure, first, wanted, loosely=True):
            (silent if is_docstring(structure, line) else loose).append(line)
    return Found(tuple(exact or loose), bool(exact), tuple(silent))


def back(structure: Structure, line: int, count: int) -> int | None:
    """Return the line that stands `count` lines above, blank ones not counted."""
    while count and line > 1:
        line -= 1
        count -= bool(structure.file.line(line).strip())
    return None if count else line


def matches(structure: Structure, line: int, wanted: Wanted, *, loosely: bool) -> bool:
    """Compare a statement with the lines from `line` on; loosely, it may begin and end inside a line."""
    last = len(wanted.raw) - 1
    for index, (raw, code) in enumerate(zip(wanted.raw, wanted.code, strict=True)):
        while line <= len(structure.file.lines) and not structure.file.line(line).strip():
            line += 1
        if line > len(structure.file.lines):
            return False
        have, there = structure.file.line(line).strip(), structure.code(line).strip()
        same = have == raw or bool(code and there == code)
        if loosely and code and not same:
            same = (index == 0 and there.endswith(code)) or (index == last and there.startswith(code))
        if not same:
            return False
        line += 1
    return True
