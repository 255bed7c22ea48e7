"""Every other language by its tree-sitter grammar, loaded when a file of it is first read."""

from dapwright.core.source.lexis import Lexis
from dapwright.core.source.outline import Outline
from dapwright.core.source.text import SourceFile


def lexis(file: SourceFile) -> Lexis | None:
    """Return the grammar's reading of comments and strings; None where no grammar serves the language."""
    return None


def outline(file: SourceFile) -> Outline | None:
    """Return the grammar's outline; None where no grammar serves the language."""
    return None
