"""Log messages: `{expr}` is interpolated, `{{` and `}}` are braces."""

import re

from msgspec import Struct

from dapwright.core.errors import UsageError

STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')


class Part(Struct, frozen=True):
    """Text as it is, or an expression to be evaluated."""

    text: str
    expression: bool = False


def read_template(message: str) -> list[Part]:
    """Cut a log message into its parts.

    Raises:
        UsageError: a brace has no partner.
    """
    parts: list[Part] = []
    plain, at = "", 0
    while at < len(message):
        pair = message[at : at + 2]
        if pair in ("{{", "}}"):
            plain += pair[0]
            at += 2
        elif message[at] == "{":
            end = _end(message, at + 1)
            parts += [Part(plain)] if plain else []
            parts.append(Part(message[at + 1 : end].strip(), True))
            plain, at = "", end + 1
        elif message[at] == "}":
            raise UsageError(f"`{message}` has a `}}` without its `{{`", "write `}}` for a brace")
        else:
            plain += message[at]
            at += 1
    return [*parts, *([Part(plain)] if plain else [])]


def _end(message: str, at: int) -> int:
    depth = 0
    while at < len(message):
        string = STRING.match(message, at)
        if string:
            at = string.end()
            continue
        if message[at] == "}" and depth == 0:
            return at
        depth += {"{": 1, "}": -1}.get(message[at], 0)
        at += 1
    raise UsageError(f"`{message}` has a `{{` without its `}}`", "write `{{` for a brace")
