"""Where in its line a statement begins: for engines that tell several statements of one line apart."""

from dapwright.core.source.text import SourceFile


def column(file: SourceFile, line: int, statement: str) -> int | None:
    """Return a statement's column (1-based, in UTF-16 units, as the protocol counts); None where it begins its line."""
    text, first = file.line(line), statement.strip().partition("\n")[0].strip()
    at = text.find(first)
    before = text[: max(at, 0)]
    return len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1 if before.strip() else None
