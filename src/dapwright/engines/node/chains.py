"""Whether a rejected promise has its `catch` in the same expression. Pure.

V8 asks at the moment of the rejection who will catch it; `Promise.reject(e).catch(f)` attaches its
handler only after that, and so does a caller that an async function hands its promise to.
"""

import re
from itertools import islice
from typing import Literal

from dapwright.engines.node.kept import uses
from dapwright.engines.node.outline import outline
from dapwright.engines.node.tokens import Token, tokens

LONGEST = 2000
"""Tokens looked at: a chain longer than that is not read to its end."""
NEAR = 400
"""Characters looked at before a call: enough for what it is an argument of."""

Fate = Literal["caught", "handed on", "left"]
"""What becomes of a call's promise: a handler takes it, the function returns or awaits it, or neither is seen."""

_GATHERED = re.compile(
    r"\bPromise\s*\.\s*(?P<one>allSettled|all|any|race)\s*\(\s*\[[^;{}\]]*$"
    r"|\bPromise\s*\.\s*(?P<made>allSettled|all|any|race)\s*\([^;{}()]*\.\s*$"
)
"""The call stands among the promises of another, or makes them (`Promise.all(list.map(f))`)."""
_HANDED_ON = re.compile(r"(?:\b(?:await|return)|=>)\s*(?:[\w$]+\s*\??\.\s*)*$")
_AWAITED = re.compile(r"\bawait\s+$")
_REJECTS = re.compile(r"\bPromise\s*\.\s*$")
_ASYNC = re.compile(r"\basync\b(?:\s+function)?\s*\*?\s*[\w$#]*\s*$")


def is_async(source: str, at: int) -> bool:
    """Return whether the function whose parameters begin at the offset `at` is an `async` one."""
    return source.startswith("async", at) or bool(_ASYNC.search(source[max(0, at - NEAR) : at]))


def rejects(source: str, at: int) -> bool:
    """Return whether `Promise.reject` is called at the offset `at` (of `reject`)."""
    return source.startswith("reject", at) and bool(_REJECTS.search(source[max(0, at - NEAR) : at]))


def fate(source: str, at: int) -> Fate:
    """Return what becomes of the promise of the call whose name stands at the offset `at` of `source`."""
    if is_caught(source[at:]):
        return "caught"
    before = source[max(0, at - NEAR) : at]
    gathered = _GATHERED.search(before)
    if gathered is None:
        return "handed on" if _HANDED_ON.search(before) else _kept(source, at)
    group = gathered.lastgroup or "one"
    if gathered[group] == "allSettled":
        return "caught"
    return fate(source, at - len(before) + gathered.start(group))


def _kept(source: str, at: int) -> Fate:
    """The same for a call whose promise is kept in a variable, by what is done with that."""
    for use in uses(source, at, NEAR):
        if is_caught(source[use:]):
            return "caught"
        before = source[max(0, use - NEAR) : use]
        if _AWAITED.search(before) and _is_guarded(source, use):
            return "caught"
        if _GATHERED.search(before) or _HANDED_ON.search(before):
            return fate(source, use)
    return "left"


def _is_guarded(source: str, at: int) -> bool:
    """Return whether a `try` that catches stands around a place, and no further out than the function around both."""
    line, begin = source.count("\n", 0, at), source.rfind("\n", 0, at) + 1
    return outline(source).catches((line, at - begin), (0, 0))


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
