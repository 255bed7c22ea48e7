"""What is code, comment and string in a file, by its language's marks alone."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, Protocol

from dapwright.core.source.languages import MARKS, UNKNOWN, Marks
from dapwright.core.source.text import SourceFile

Kind = Literal["code", "comment", "blank", "string"]
"""What a line is; `string` for one that begins inside a literal of several lines."""


class Span(NamedTuple):
    """A comment or a literal of several lines. Lines are 1-based, columns 0-based characters; the end is exclusive."""

    start: int
    start_column: int
    end: int
    end_column: int
    comment: bool


class Lexis(Protocol):
    """A reader of comments and strings."""

    def inside(self, line: int) -> Span | None:
        """Return the comment or literal that a line's first character lies in."""
        ...

    def comments(self, line: int) -> list[tuple[int, int]]:
        """Return the columns of the comments on a line, in order; a `#` inside a string is none."""
        ...


def code_of(text: str, start: int, comments: list[tuple[int, int]]) -> str:
    """Return a line's code from column `start`: what trails it as comment is cut, a comment amid code stays."""
    end = len(text.rstrip())
    for first, last in reversed(comments):
        if last < end or first < start:
            break
        end = max(start, len(text[:first].rstrip()))
    return text[start:end]


def code_at(file: SourceFile, lexis: Lexis, line: int) -> str:
    """Return a line's code, indentation included; "" where all of it is comment."""
    text, inside = file.line(line), lexis.inside(line)
    if inside and inside.comment and inside.end > line:
        return ""
    return code_of(text, inside.end_column if inside and inside.comment else 0, lexis.comments(line))


class Scanner:
    """One language's marks as one pattern, that finds the next comment or string."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        blocks, longs = [o for o, _ in marks.block], [o for o, _ in marks.long]
        parts = [f"(?P<line>{'|'.join(marks.line)})" if marks.line else ""]
        parts += [f"(?P<block{i}>{o})" for i, o in enumerate(blocks)] + [
            f"(?P<long{i}>{o})" for i, o in enumerate(longs)
        ]
        parts += [f"(?P<here>{marks.heredoc})" if marks.heredoc else ""]
        parts += [f"(?P<string>{'|'.join(marks.strings)})" if marks.strings else ""]
        self.any = re.compile("|".join(filter(None, parts)) or r"(?!)", re.M)
        self.closers = {f"block{i}": re.compile(c, re.M) for i, (_, c) in enumerate(marks.block)}
        self.closers |= {f"long{i}": re.compile(c, re.M) for i, (_, c) in enumerate(marks.long)}
        self.either = {f"block{i}": re.compile(f"(?P<open>{o})|{c}", re.M) for i, (o, c) in enumerate(marks.block)}
        self.skip = re.compile(self.plain()) if marks is MARKS["python"] else None

    def plain(self) -> str:
        """Return a pattern that runs, inside the regular expression engine, over all that ends with its line.

        A file of 100,000 lines has some 200,000 such tokens: stepping over them one by one costs ten times as much.
        """
        short = r"\"\"\"[^\"\\\n]*+\"\"\"|'''[^'\\\n]*+'''"
        return rf"(?:[^\"'#]++|#[^\n]*+|{short}|{'|'.join(self.marks.strings)})*+"

    def close(self, text: str, name: str, at: int) -> int:
        """Return where a comment or literal that was opened before `at` ends; the text's end where it never does."""
        if not (self.marks.nested and name.startswith("block")):
            found = self.closers[name].search(text, at)
            return found.end() if found else len(text)
        depth = 1
        for found in self.either[name].finditer(text, at):
            depth += 1 if found["open"] else -1
            if depth == 0:
                return found.end()
        return len(text)

    def tokens(self, text: str, at: int = 0, *, quick: bool = False) -> Iterator[tuple[str, int, int]]:
        """Yield (`line`, `block`, `long`, `here` or `string`, start, end) of each comment and literal from `at` on.

        `quick` may leave out those that end with their line.
        """
        bodies: list[tuple[int, int]] = []
        while at <= len(text):
            if quick and self.skip and (run := self.skip.match(text, at)):
                at = run.end()
            found = self.any.search(text, at)
            if bodies and (found is None or found.start() >= bodies[0][0]):
                start, at = bodies.pop(0)
                yield "here", start, at
                continue
            if found is None:
                return
            name, end = str(found.lastgroup if found.lastgroup != "tag" else "here"), found.end()
            if name == "here":
                bodies += heredoc(text, found, bodies)
                at = end
                continue
            if name == "line":
                end = (text.find("\n", end) + 1 or len(text) + 1) - 1
            elif name != "string":
                end = self.close(text, name, end)
            yield name.rstrip("0123456789"), found.start(), end
            at = max(end, found.start() + 1)


def heredoc(text: str, found: re.Match[str], before: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the body of a heredoc, its closing word included: from the next line, or after the body before it."""
    start = before[-1][1] if before else text.find("\n", found.end()) + 1
    if not start:
        return []
    last = re.compile(rf"^[ \t]*{re.escape(found['tag'])}\b", re.M).search(text, start)
    return [(start, last.end())] if last else []


@lru_cache(maxsize=64)
def scanner(language: str) -> Scanner:
    """Return the scanner of a language's marks."""
    return Scanner(MARKS.get(language, UNKNOWN))


class Light:
    """Reads comments and strings by marks: the first look at any file, and all there is without a grammar."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.scanner = scanner(file.language)

    @cached_property
    def spans(self) -> list[Span]:
        """All comments and literals that go over a line's end."""
        text = self.file.text
        found = [
            (n, a, b)
            for n, a, b in self.scanner.tokens(text, quick=True)
            if n == "here" or (n != "line" and "\n" in text[a:b])
        ]
        starts = self.file.starts
        return [span_of(starts, a - (name == "here"), b, comment=name == "block") for name, a, b in found]

    @cached_property
    def firsts(self) -> list[int]:
        """The first line of each span, to search in."""
        return [span.start for span in self.spans]

    def inside(self, line: int) -> Span | None:
        """Return the comment or literal that a line's first character lies in."""
        at = bisect_right(self.firsts, line) - 1
        for span in self.spans[max(0, at - 1) : at + 1]:
            if (span.start, span.start_column) < (line, 0) <= (span.end, span.end_column - 1):
                return span
        return None

    def code(self, line: int) -> str:
        """Return a line's code, indentation included; "" where all of it is comment."""
        return code_at(self.file, self, line)

    def comments(self, line: int) -> list[tuple[int, int]]:
        """Return the columns of the comments on a line, in order."""
        text, inside, found = self.file.line(line), self.inside(line), list[tuple[int, int]]()
        start = 0
        if inside:
            start = inside.end_column if inside.end == line else len(text)
            if inside.comment:
                found.append((0, start))
        for name, first, end in self.scanner.tokens(text, start):
            if name in ("line", "block"):
                found.append((first, end))
        return found


def span_of(starts: list[int], first: int, end: int, *, comment: bool) -> Span:
    """Turn offsets into lines and columns."""
    top, bottom = bisect_right(starts, first), bisect_right(starts, end - 1)
    return Span(top, first - starts[top - 1], bottom, end - starts[bottom - 1], comment)
