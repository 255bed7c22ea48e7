"""What a breakpoint asks, as the JavaScript that V8 runs at it. Pure.

V8 keeps one breakpoint a place, with one condition. So everything wanted at a place becomes one
expression, which reports what it logs (and what fails) through the binding `__dapwright` and is
true where the program should stop. Users' expressions stay in arrow functions without parameters:
they see the frame's own names and nothing of ours, and no name of theirs can hide ours.
"""

import json
import re

import msgspec

from dapwright.core.errors import UsageError
from dapwright.engines.node.probes import SHOW

BINDING = "__dapwright"

_HIT = re.compile(r"\s*(==|>=|<=|>|<|%|)\s*(\d+)\s*")


class Wanted(msgspec.Struct, frozen=True):
    """What one breakpoint asks at its place: its id is ours."""

    id: int
    condition: str = ""
    hit: str = ""
    log: str = ""


def hit_test(text: str) -> tuple[str, int]:
    """Read a hit condition: `N` is the N-th hit alone; `==N`, `>N`, `>=N`, `<N`, `<=N`, `%N` as they say.

    Raises:
        UsageError: it is none of these, or N is 0.
    """
    found = _HIT.fullmatch(text)
    if not found or int(found[2]) < 1:
        hint = "write `3`, `==3`, `>3`, `>=3`, `<3`, `<=3` or `%3`"
        raise UsageError(f"`{text}` is no hit condition: {hint}", hint)
    return found[1] or "==", int(found[2])


def split_log(text: str) -> list[tuple[bool, str]]:
    """Split a log message into (is an expression, text); `{{` and `}}` are braces.

    Braces within an expression nest, and those in its strings do not count.

    Raises:
        UsageError: a brace opens and does not close.
    """
    parts: list[tuple[bool, str]] = []
    plain, at = "", 0
    while at < len(text):
        if text[at : at + 2] in ("{{", "}}"):
            plain, at = plain + text[at], at + 2
        elif text[at] == "{":
            end = _closing(text, at)
            parts += [(False, plain), (True, text[at + 1 : end].strip())]
            plain, at = "", end + 1
        else:
            plain, at = plain + text[at], at + 1
    return [part for part in [*parts, (False, plain)] if part[1]]


def _closing(text: str, start: int) -> int:
    depth, quote, at = 0, "", start
    while at < len(text):
        c = text[at]
        if quote:
            at += c == "\\"
            quote = "" if c == quote else quote
        elif c in "'\"`":
            quote = c
        elif c in "{}":
            depth += 1 if c == "{" else -1
            if not depth:
                return at
        at += 1
    raise UsageError(f"a brace of the log message `{text}` does not close", "write `{{` for a brace itself")


def expressions(wanted: Wanted) -> list[str]:
    """Return every expression of a breakpoint that must parse.

    Raises:
        UsageError: the log message or the hit condition cannot be read.
    """
    if wanted.hit:
        hit_test(wanted.hit)
    logged = [part for is_code, part in split_log(wanted.log) if is_code]
    return ([wanted.condition] if wanted.condition.strip() else []) + logged


def javascript(members: list[Wanted]) -> str:
    """Return the one condition for all that is wanted at a place; "" where it always stops.

    Raises:
        UsageError: a log message or a hit condition cannot be read.
    """
    if len(members) == 1 and not (members[0].condition.strip() or members[0].hit or members[0].log):
        return ""
    shared = len([m for m in members if not m.log]) > 1
    return "!!(" + "|".join(_member(m, shared=shared) for m in members) + ")"


def _member(wanted: Wanted, *, shared: bool) -> str:
    """One of a place; where several may stop there, each says which it was."""
    gates = []
    if wanted.condition.strip():
        failed = f"e=>{BINDING}(JSON.stringify({{id:{wanted.id},failed:String(e)}}))"
        gates.append(
            f"((f,w)=>{{try{{return !!f()}}catch(e){{w(e);return false}}}})(()=>({wanted.condition}\n),{failed})"
        )
    if wanted.hit:
        gates.append(_count(wanted))
    if wanted.log:
        pieces = [f"{SHOW}(()=>({part}\n))" if code else json.dumps(part) for code, part in split_log(wanted.log)]
        text = "''+" + "+".join(pieces or ["''"])
        gates.append(f"({BINDING}(JSON.stringify({{id:{wanted.id},log:{text}}})),false)")
    elif shared:
        gates.append(f"({BINDING}(JSON.stringify({{id:{wanted.id},stops:true}})),true)")
    return "(" + ("&&".join(gates) or "true") + ")"


def _count(wanted: Wanted) -> str:
    """The count lives on the binding itself, so that V8 compares without asking us."""
    operator, number = hit_test(wanted.hit)
    count = f"({BINDING}[{wanted.id}]=({BINDING}[{wanted.id}]||0)+1)"
    return f"({count}%{number}===0)" if operator == "%" else f"({count}{operator}{number})"
