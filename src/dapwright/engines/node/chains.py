"""Whether a rejected promise has its `catch` in the same expression. Pure.

V8 asks at the moment of the rejection who will catch it; `Promise.reject(e).catch(f)` attaches its
handler only after that.
"""

from itertools import islice

from dapwright.engines.node.tokens import Token, tokens

LONGEST = 2000
"""Tokens looked at: a chain longer than that is not read to its end."""


def is_caught(text: str) -> bool:
    """Return whether the call at the beginning of `text` is followed by `.catch(f)` or by `.then(f, g)`."""
    read = list(islice(tokens(text), LONGEST))
    at, _ = _arguments(read, 1)
    while at + 1 < len(read) and read[at].text in (".", "?."):
        name = read[at + 1].text
        at, count = _arguments(read, at + 2)
        if (name == "catch" and count) or (name == "then" and count > 1):
            return True
    return False


def _arguments(read: list[Token], at: int) -> tuple[int, int]:
    """Return the place behind the arguments that begin at `at`, and how many they are."""
    if at >= len(read) or read[at].text != "(":
        return at, 0
    depth, commas = 0, 0
    for index in range(at, len(read)):
        sign = read[index].text if read[index].kind == "sign" else ""
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        commas += sign == "," and depth == 1 and read[index + 1 : index + 2] != [] and read[index + 1].text != ")"
        if not depth:
            return index + 1, 0 if index == at + 1 else commas + 1
    return len(read), 0
