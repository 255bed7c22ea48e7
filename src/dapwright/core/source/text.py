"""The text of a source file and its lines, counted as the languages and the protocol count them."""

import codecs
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from dapwright.core.errors import UsageError
from dapwright.core.source.languages import language_of

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks; the longer ones first where one begins with another."""
BINARY_WINDOW = 8192
"""How many bytes are looked at for a NUL, which no source holds."""


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A source file as it was read: lines are without their ends, `text` has `\\n` at each end."""

    path: str
    text: str
    lines: tuple[str, ...]
    language: str
    encoding: str = "utf-8"

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins in the text, and where the text ends."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def line_at(self, offset: int) -> int:
        """Return the line that an offset in the text lies in."""
        return bisect_right(self.starts, offset)

    def occurrences(self, text: str, inside: tuple[int, int] | None = None) -> Iterator[int]:
        """Yield the lines (of all, or from one to another) that hold a text, by a search of the whole file at once."""
        at, end = (self.starts[inside[0] - 1], self.starts[inside[1]]) if inside else (0, len(self.text))
        while (at := self.text.find(text, at, end)) >= 0:
            line = self.line_at(at)
            yield line
            at = self.starts[line]

    def line(self, number: int) -> str:
        """Return a line's text (1-based), "" beyond the ends."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


def read(path: str, data: bytes) -> SourceFile:
    """Decode a file's bytes by its language's own rules.

    Raises:
        UsageError: the bytes are no text.
    """
    language = language_of(path, data[:128])
    text, encoding = decode(data, language, path)
    return of_text(path, text, language, encoding)


def of_text(path: str, text: str, language: str = "", encoding: str = "utf-8") -> SourceFile:
    """Make a file of text that is decoded already."""
    lines = split(text)
    joined = "\n".join(lines) + ("\n" if lines else "")
    return SourceFile(path, joined, lines, language or language_of(path), encoding)


def split(text: str) -> tuple[str, ...]:
    """Cut text into lines at `\\n`, `\\r\\n` and `\\r` alone.

    Python's reference (2.1.2 Physical lines) and DAP know no other line end; `str.splitlines`
    takes form feed, VT, NEL, U+2028 and others for one too, and so counts further.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return tuple(lines)


def decode(data: bytes, language: str, path: str) -> tuple[str, str]:
    """Return the text without a byte-order mark, and the encoding that it was written in."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            if mark == codecs.BOM_UTF16_LE and not language and len(data) % 2:
                break
            return data[len(mark) :].decode(encoding, errors="replace"), encoding
    if b"\0" in data[:BINARY_WINDOW]:
        raise UsageError(
            f"`{path}` is a binary file, not a source",
            "name the source file that the program was made of",
        )
    encoding = python_encoding(data) if language == "python" else "utf-8"
    return data.decode(encoding, errors="replace"), encoding


def python_encoding(data: bytes) -> str:
    """Return what the coding cookie of PEP 263 says; UTF-8 where it says nothing that Python knows."""
    head = b"".join(data.splitlines(keepends=True)[:2])
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(head).readline)
    except SyntaxError:
        return "utf-8"
    return encoding
