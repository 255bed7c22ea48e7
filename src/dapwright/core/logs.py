"""Messages of logpoints: literal text and `{expressions}`, `{{` and `}}` literal braces."""

from msgspec import Struct

from dapwright.core.errors import UsageError

OPENING, CLOSING = "([{", ")]}"


class Part(Struct, frozen=True):
    """A piece of a message: literal text, or an expression to evaluate."""

    text: str
    expression: bool = False


def parse(message: str) -> list[Part]:
    """Split a message into its parts. Brackets and quotes inside of an expression are its own.

    Raises:
        UsageError: a brace is not closed, or closes nothing, or holds nothing.
    """
    parts: list[Part] = []
    literal, at = "", 0
    while at < len(message):
        two, one = message[at : at + 2], message[at]
        if two in ("{{", "}}"):
            literal, at = literal + one, at + 2
        elif one == "}":
            raise UsageError(f"a `}}` in the log message closes nothing: `{message}`", "write `}}` for a literal brace")
        elif one == "{":
            end = _end(message, at + 1)
            expression = message[at + 1 : end].strip()
            if not expression:
                raise UsageError(f"an empty `{{}}` in the log message: `{message}`", "write `{{}}` for literal braces")
            if literal:
                parts.append(Part(literal))
            parts.append(Part(expression, expression=True))
            literal, at = "", end + 1
        else:
            literal, at = literal + one, at + 1
    if literal:
        parts.append(Part(literal))
    return parts


def _end(message: str, at: int) -> int:
    """Find the brace that closes the expression which begins at `at`."""
    depth: list[str] = []
    quote = ""
    while at < len(message):
        char = message[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'`":
            quote = char
        elif char in OPENING:
            depth.append(CLOSING[OPENING.index(char)])
        elif char in CLOSING:
            if not depth:
                if char == "}":
                    return at
                break
            if depth.pop() != char:
                break
        at += 1
    raise UsageError(
        f"a `{{` in the log message is not closed: `{message}`",
        "close the expression, or write `{{` for a literal brace",
    )
