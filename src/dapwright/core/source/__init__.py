"""What a line is, by language: code, comment, string, the enclosing function, what can hold a breakpoint."""

from functools import lru_cache

from dapwright.core.source.languages import language_of
from dapwright.core.source.lexis import Kind, Light
from dapwright.core.source.outline import Function, Statement, plain
from dapwright.core.source.structure import Structure
from dapwright.core.source.text import SourceFile, of_text, read, split

__all__ = [
    "Function",
    "Kind",
    "Light",
    "SourceFile",
    "Statement",
    "Structure",
    "language_of",
    "of_text",
    "plain",
    "read",
    "split",
    "structure_of",
]


@lru_cache(maxsize=64)
def structure_of(file: SourceFile, executable: frozenset[int] | None = None) -> Structure:
    """Return the structure of a file as it was read; the same one as long as the file is the same reading."""
    return Structure(file, executable)
