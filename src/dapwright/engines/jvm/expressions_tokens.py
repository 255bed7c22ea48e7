"""Java expressions as tokens."""

import re

from msgspec import Struct

from dapwright.core.errors import UsageError

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<number>0[xX][0-9a-fA-F_]+[lL]?|0[bB][01_]+[lL]?
      |(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[lLfFdD]?)
  | (?P<block>\"\"\".*?(?<!\\)\"\"\")
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<char>'(?:\\u+[0-9a-fA-F]{4}|\\[0-7]{1,3}|\\.|[^'\\\n])')
  | (?P<word>[^\W\d][\w$]*|\$[\w$]*)
  | (?P<mark>>>>=|<<=|>>=|>>>|\.\.\.|->|::|\+\+|--|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%&|^]=|[-+*/%&|^!~<>=?:.,()\[\]{};@])
    """,
    re.VERBOSE | re.DOTALL,
)
SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "0": "\0", '"': '"', "'": "'", "\\": "\\"}
ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.DOTALL)


class Token(Struct, frozen=True):
    """A piece of an expression; `kind` is number, string, char, word, mark or end."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """Cut `text` into tokens, an `end` last.

    Raises:
        UsageError: a character that Java does not know, or a string without its end.
    """
    found, at = [], 0
    while at < len(text):
        hit = TOKEN.match(text, at)
        if hit is None:
            raise UsageError(f"`{text}` cannot be read as a Java expression: at `{text[at : at + 12]}`")
        kind = str(hit.lastgroup)
        if kind != "space":
            found.append(Token("string" if kind == "block" else kind, hit[0], at))
        at = hit.end()
    return [*found, Token("end", "", at)]


def unescape(text: str) -> str:
    """The characters of a string's or character's inside."""

    def one(hit: re.Match[str]) -> str:
        code = hit[1]
        if code[0] == "u" and len(code) > 4:
            return chr(int(code.lstrip("u"), 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return SIMPLE.get(code, code)

    return ESCAPE.sub(one, text)


def string_text(literal: str) -> str:
    """What a string literal or a text block says."""
    if literal.startswith('"""'):
        body = literal[3:-3].partition("\n")[2]
        lines = body.split("\n")
        margins = [len(line) - len(line.lstrip()) for line in lines if line.strip() or line is lines[-1]]
        margin = min(margins, default=0)
        return unescape("\n".join(line[margin:].rstrip() for line in lines))
    return unescape(literal[1:-1])
