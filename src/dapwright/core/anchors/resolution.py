"""(a file's structure, what was asked) -> the line, or a refusal that is its own remedy."""

import re
import unicodedata
from collections.abc import Callable

from msgspec import Struct

from dapwright.core.anchors.moves import require
from dapwright.core.anchors.near import near
from dapwright.core.anchors.search import Found, Wanted, search, wanted
from dapwright.core.anchors.words import clipped, definitions, listed, nearest, neighbours, shown, squeezed
from dapwright.core.errors import AnchorAmbiguous, AnchorNotFound, ContentMismatch, UsageError
from dapwright.core.source import Function, SourceFile, Structure


class Resolution(Struct, frozen=True):
    """The line that was meant, its text, and what to tell of the choice."""

    line: int
    content: str
    warning: str = ""
    candidates: tuple[tuple[int, str], ...] = ()
    """Every (line, content) that had the text, where there were several."""
    exact: bool = True


def resolve(
    structure: Structure, *, statement: str, near_line: int | None = None, function: str | None = None
) -> Resolution:
    """Return the line that a statement names.

    Raises:
        UsageError: the statement is blank or a comment, or there is no such function.
        AnchorNotFound: no line says it.
        AnchorAmbiguous: several lines say it, or several functions have the name.
    """
    file, asked = structure.file, wanted(structure.file, statement)
    scope = only(structure, function, near_line) if function else None
    found = within(search_in(structure, asked, scope), scope)
    if not found.lines:
        raise not_found(structure, asked, found, scope)
    if len(found.lines) > 1 and near_line is None:
        raise ambiguous(structure, asked, found, scope)
    line = min(found.lines, key=lambda n: (abs(n - (near_line or 0)), n))
    warnings = []
    if len(found.lines) > 1:
        warnings.append(
            f"{len(found.lines)} lines match; took {line}, the closest to {near_line}:\n{listed(file, found.lines)}"
        )
    if not found.exact:
        warnings.append(f"no whole line says `{clipped(asked.text)}`; line {line} holds it: `{shown(file, line)}`")
    candidates = tuple((n, file.line(n).strip()) for n in found.lines) if len(found.lines) > 1 else ()
    return Resolution(line, file.line(line).strip(), "; ".join(warnings), candidates, found.exact)


def search_in(structure: Structure, asked: Wanted, scope: Function | None) -> Found:
    """Search the file, or the lines of a function's body as a whole of its own."""
    inside = (scope.body, scope.last) if scope else None
    return search(structure, asked, inside)


def within(found: Found, scope: Function | None) -> Found:
    """Leave out the silent lines that are outside the function."""
    if scope is None:
        return found
    return Found(found.lines, found.exact, tuple(n for n in found.silent if scope.holds(n)))


def functions(structure: Structure, name: str) -> list[Function]:
    """Return every function that a name means: `name`, `Class.name`, `outer.inner`; a bare name matches methods too.

    Raises:
        UsageError: there is none; the near names are told.
    """
    if not name.strip():
        raise UsageError("`function` is blank", "name a function: `name`, `Class.name` or `outer.inner`")
    found = structure.named(name)
    real = [f for f in found if f.kind == "function"]
    if real:
        return real
    if found:
        raise class_refusal(structure, name, found[0])
    same, every = near(structure, name)
    what = f"; the nearest:\n{definitions(same)}" if same else (f"; it has:\n{definitions(every)}" if every else "")
    raise UsageError(
        f"`{structure.file.path}` has no function `{name}`{what}",
        f"name one of these, such as `{(same or every)[0].qualified}`"
        if same or every
        else "it defines no functions; name a `statement`",
    )


def class_refusal(structure: Structure, name: str, found: Function) -> UsageError:
    """Make the error of a class's name where a function's is asked."""
    methods = [
        f for f in structure.inside(found) if f.kind == "function" and f.qualified.startswith(found.qualified + ".")
    ]
    return UsageError(
        f"`{name}` is a class (line {found.line} of `{structure.file.path}`), no function"
        + (f"; its methods:\n{definitions(methods)}" if methods else ", and it has no methods"),
        f"name a method, such as `{methods[0].qualified}`" if methods else "name a `statement` instead",
    )


def only(structure: Structure, name: str, near_line: int | None) -> Function:
    """Return the one function that a name means; the closest to `near_line` of several."""
    found = functions(structure, name)
    if len(found) == 1:
        return found[0]
    if near_line is not None:
        return min(found, key=lambda f: (distance(f, near_line), f.line))
    different = len({f.qualified for f in found}) == len(found)
    way = f"qualify it, such as `{found[0].qualified}`, or " if different and found[0].qualified != name else ""
    raise AnchorAmbiguous(
        f"{len(found)} functions of `{structure.file.path}` are named `{name}`:\n{definitions(found)}",
        f"{way}add `nearLine`, such as {found[0].body}",
    )


def distance(function: Function, line: int) -> int:
    """Return how far a line is from a function; 0 inside it."""
    return max(function.first - line, line - function.last, 0)


def ambiguous(structure: Structure, asked: Wanted, found: Found, scope: Function | None) -> AnchorAmbiguous:
    """Make the error that lists every match and how to choose."""
    how = "match" if found.exact else "hold it as a part of the line, and none says just that; they match"
    where = f" in `{scope.qualified}`" if scope else ""
    rows = listed(structure.file, found.lines)
    return AnchorAmbiguous(
        f"{len(found.lines)} lines of `{structure.file.path}`{where} {how} `{clipped(asked.text)}`:\n{rows}",
        f"add `nearLine` (such as {found.lines[0]}), or `function`, or quote more of the line",
    )


def not_found(structure: Structure, asked: Wanted, found: Found, scope: Function | None) -> AnchorNotFound:
    """Make the error that says what is there instead."""
    file = structure.file
    where = f" in `{scope.qualified}` (lines {scope.body} to {scope.last})" if scope else ""
    message = f"no line of `{file.path}`{where} matches `{clipped(asked.text).replace(chr(9), chr(92) + 't')}`"
    if found.silent:
        rows = listed(file, found.silent)
        return AnchorNotFound(
            f"{message} as code; only a comment or a docstring says it:\n{rows}", "quote a line of code"
        )
    if scope:
        elsewhere = search(structure, asked)
        if elsewhere.lines:
            rows = listed(file, elsewhere.lines)
            return AnchorNotFound(
                f"{message}; outside it there is:\n{rows}",
                "leave `function` out, or name the function around that line",
            )
    first = asked.raw[0]
    blanks = only_blanks_differ(file, first)
    if blanks and len(asked.raw) == 1:
        return AnchorNotFound(
            f"{message}; it differs only in its blanks from:\n{listed(file, blanks)}", "quote the line as it is"
        )
    forms = only_forms_differ(file, first)
    if forms:
        return AnchorNotFound(
            f"{message}; it differs only in how its letters are composed (in Unicode) from:\n{listed(file, forms)}",
            f"copy the line from the file, or pass `line` {forms[0]}",
        )
    span = range(scope.body, scope.last + 1) if scope else range(1, len(file.lines) + 1)
    close = nearest(file, first, span)
    if len(asked.raw) > 1 and close:
        return AnchorNotFound(
            f"{message}, though its first line is near:\n{neighbours(file, close[0], len(asked.raw) + 1)}",
            "quote the lines as they are, comments included, or the first line alone",
        )
    told = f"; the nearest:\n{listed(file, close)}" if close else ""
    return AnchorNotFound(
        message + told, "quote one of these lines" if close else "read the file, and quote a line of it"
    )


def only_blanks_differ(file: SourceFile, text: str) -> list[int]:
    """Return the lines that are a text but for their blanks."""
    bare = squeezed(text)
    word = max(re.findall(r"\w+", text), key=len, default="")
    if not word:
        return []
    # patterns over the whole text: to squeeze each line that has a common word costs ten times as much
    after = bare.partition(word)[2] if bare.count(word) == 1 else ""
    spread = BLANKS.join([re.escape(word), *map(re.escape, after)] if after else map(re.escape, bare))
    lines = dict.fromkeys(file.line_at(found.start()) for found in re.finditer(spread, file.text))
    return [n for n in lines if word in file.line(n) and squeezed(file.line(n)) == bare]


BLANKS = r"[^\S\n]*"
"""Blanks within a line, or none."""


def only_forms_differ(file: SourceFile, text: str) -> list[int]:
    """Return the lines that say a text with its letters composed in another way: `é`, or `e` and an accent."""
    if text.isascii():
        return []
    bare = unicodedata.normalize("NFC", text)
    return [n for n, line in enumerate(file.lines, 1) if unicodedata.normalize("NFC", line.strip()) == bare]


def check_line(structure: Structure, line: int, expected_content: str | None = None) -> Resolution:
    """Return a line that was named by its number, guarded by the text expected there.

    Raises:
        UsageError: the file has no such line.
        ContentMismatch: it says something else.
    """
    require(structure, line)
    content = structure.file.line(line).strip()
    if expected_content is None:
        return Resolution(line, content)
    expected = expected_content.strip()
    if not expected:
        raise UsageError(
            "`expectedContent` is blank", f"leave it out, or quote line {line}: `{shown(structure.file, line)}`"
        )
    verdict = compare(structure, line, expected)
    if verdict is None:
        raise mismatch(structure, line, expected)
    return Resolution(line, content, verdict, exact=not verdict)


def compare(structure: Structure, line: int, expected: str) -> str | None:
    """Return "" where a line says just what was expected, a warning where it nearly does, None where it does not."""
    file = structure.file
    text, code = file.line(line).strip(), structure.code(line).strip()
    rows = [row.strip() for row in re.split(r"\r\n|\r|\n", expected) if row.strip()]
    if expected == text or (code and (expected == code or fragment_code(file, expected) == code)):
        return ""
    if len(rows) > 1:
        found = search(structure, wanted(file, expected))
        return "" if line in found.lines and found.exact else None
    quoted = f"line {line} says `{shown(file, line)}`"
    if squeezed(expected) in (squeezed(text), squeezed(code)) and code:
        return f"{quoted}, which differs from what was expected only in its blanks"
    if expected in code and re.search(r"\w", expected):
        return f"{quoted}, of which `{clipped(expected)}` is only a part"
    return None


def fragment_code(file: SourceFile, text: str) -> str:
    """Return the code of a text, "" where it is a comment."""
    cut: Callable[[SourceFile, str], Wanted] = wanted
    try:
        return cut(file, text).code[0]
    except UsageError:
        return ""


def mismatch(structure: Structure, line: int, expected: str) -> ContentMismatch:
    """Make the error that shows expected, actual, the neighbours, and where the text is."""
    file = structure.file
    actual = shown(file, line) or "(blank)"
    try:
        found = search(structure, wanted(file, expected)).lines
    except UsageError:
        found = ()
    elsewhere = f"\nthe text is on:\n{listed(file, found)}" if found else ""
    return ContentMismatch(
        f"line {line} of `{file.path}` is not what was expected, and nothing was set\n"
        f"expected: {clipped(expected)}\nactual:   {actual}\n{neighbours(file, line)}{elsewhere}",
        f"pass line {found[0]}, or `statement` instead of `line`"
        if found
        else "quote the line as it is, or name a `statement`",
        by_line=f"pass line {found[0]}" if found else "quote the line as it is",
    )
