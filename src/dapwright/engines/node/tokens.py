"""JavaScript and TypeScript as tokens: enough to know code from text. Pure.

No grammar: a scanner that knows comments, strings, templates (with the code inside `${}`) and
tells a regular expression from a division by what stands before it, as every such scanner does.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_WORD = re.compile(r"[#\w$\u0080-\U0010ffff]+")
_SPACE = re.compile(r"\s+")
_LINE_COMMENT = re.compile(r"//[^\n]*")
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?", re.S)
_REGEX = re.compile(r"/(?![*/])(?:[^\\/\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_PUNCTUATION = re.compile(r"=>|\.\.\.|\?\.|[<>=!]==?|&&|\|\||\?\?|\+\+|--|.", re.S)
_BEFORE_REGEX = {
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "else",
    "do",
    "yield",
    "await",
}


class Token(NamedTuple):
    """A word, a sign or a literal, and where it begins (an offset)."""

    kind: str
    """`word`, `sign`, `text`."""
    text: str
    at: int


def tokens(source: str) -> Iterator[Token]:
    """Yield the tokens of `source`; comments and space are skipped."""
    at, last = 0, Token("sign", ";", 0)
    templates: list[int] = []
    if source.startswith("#!"):
        at = source.find("\n") % (len(source) + 1)
    while at < len(source):
        skipped = _skip(source, at)
        if skipped > at:
            at = skipped
            continue
        character = source[at]
        if character == "`" or (character == "}" and templates and templates[-1] == 0):
            if character == "}":
                templates.pop()
            at, opened = _template(source, at + 1)
            if opened:
                templates.append(0)
            last = Token("text", "`", at)
            yield last
            continue
        last = _next(source, at, last)
        if templates and last.text in "{}" and last.kind == "sign":
            templates[-1] += 1 if last.text == "{" else -1
        yield last
        at += len(last.text)


def _skip(source: str, at: int) -> int:
    for pattern in (_SPACE, _LINE_COMMENT, _BLOCK_COMMENT):
        found = pattern.match(source, at)
        if found:
            return found.end()
    return len(source) if source.startswith("/*", at) else at


def _next(source: str, at: int, last: Token) -> Token:
    found = _WORD.match(source, at)
    if found:
        return Token("word", found[0], at)
    found = _STRING.match(source, at)
    if found:
        return Token("text", found[0], at)
    if source[at] == "/" and _may_begin_regex(last):
        found = _REGEX.match(source, at)
        if found:
            return Token("text", found[0], at)
    found = _PUNCTUATION.match(source, at)
    assert found
    return Token("sign", found[0], at)


def _may_begin_regex(last: Token) -> bool:
    if last.kind == "word":
        return last.text in _BEFORE_REGEX
    return last.kind == "sign" and last.text not in (")", "]", "}")


def _template(source: str, at: int) -> tuple[int, bool]:
    """Return where a template's text ends, and whether code follows (`${`)."""
    while at < len(source):
        if source[at] == "\\":
            at += 2
        elif source[at] == "`":
            return at + 1, False
        elif source.startswith("${", at):
            return at + 2, True
        else:
            at += 1
    return at, False
