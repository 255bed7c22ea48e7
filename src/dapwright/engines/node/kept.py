"""A promise that is kept in a variable: where the same function takes it up before it waits for anything. Pure.

Only then is it handled in time: Node ends a program for a rejection that has no handler once the code at hand is done.
"""

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from dapwright.engines.node.tokens import tokens

LONGEST = 2000
"""Tokens looked at behind the call."""
_KEPT = re.compile(r"(?<![.\w$])([\w$]+)\s*=\s*(?:[\w$]+\s*\??\.\s*)*$")
_LATER = frozenset({"=>", "function"})
"""What begins a function, which runs at another time."""
_WAITS = frozenset({"await", "yield", "return"})
"""What is behind the statement with one of these runs later, or not at all."""


def uses(source: str, at: int, near: int) -> Iterator[int]:
    """Yield where the variable that keeps the call at the offset `at` stands again, as long as that code runs next.

    `near`: how many characters before the call are looked at for that variable.
    """
    found = _KEPT.search(source[max(0, at - near) : at])
    if found is None:
        return
    text, name, depth, last = source[at:], found[1], 0, -1
    for before, token in pairwise(islice(tokens(text), LONGEST)):
        sign = token.text if token.kind == "sign" else ""
        if last >= 0 and depth <= last and (sign == ";" or "\n" in text[before.at : token.at]):
            return
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        if depth < 0 or (before.text in _LATER and before.kind != "text"):
            return
        if token.text == name and before.text not in (".", "?."):
            yield at + token.at
        if token.text in _WAITS and last < 0:
            last = depth
