"""Secrets that show by the name before them: `password=x`, `"apiKey": "x"`, `Authorization: Bearer x`.

One pattern finds a name and what links it to a value, in the manner of source
code, representations of objects, JSON (also inside a string), YAML, environments,
headers, command lines, XML, and comparisons. `names` judges the name, `values`
the value; nothing is read twice, so the work is linear.
"""

import re
from collections.abc import Iterator

from dapwright.core.lazy import regex
from dapwright.core.secrets.marks import OPENING
from dapwright.core.secrets.names import MANY_TOKENS, STEMS, Verdict, judge
from dapwright.core.secrets.shapes import Span
from dapwright.core.secrets.values import worth

PAIR = regex(
    r"(?<![A-Za-z0-9_])(?P<name>[A-Za-z_][A-Za-z0-9_.-]{1,79}+)(?P<close>\\{0,7}[\"'`]?[\])]{0,2}\*{0,2})"
    r"(?P<link>\s{0,16}(?:===?|!==?|=>|:=|->|[=:]|%3[AaDd]|\()"
    r"\s{0,16}"
    r"|>(?=[^<>\s][^<>\n]{0,500}</)"
    r"|,[ \t]{0,4}(?=\\{0,7}[\"'])"
    r"|[ \t]{1,4}(?:(?:is|was|of|got|value|in|eq|like|LIKE|BY)[ \t]{1,4}\(?|,[ \t])?(?=\\{0,7}[\"'])"
    r"|[ \t]{1,4}(?:is|was)[ \t]{1,4}(?=\S{0,40}[0-9])|\s{0,8}\|[ ]{1,8}(?=\S{0,40}[0-9])"
    r"|[ \t]{1,4}(?=[^\s\"'=:-]))"
)
TYPE = regex(
    r"(?:(?:typing\.)?(?:Optional\[\w+\]|str|bytes|string|String|SecretStr|&(?:'static )?str)(?:\s?\|\s?\w+)?\??"
    r"|[A-Za-z_][\w.:<>&]{0,80}(?=\s{1,4}=\s{1,4}[&bu]?[\"']))"
    r"\s{0,4}=(?!=)\s{0,4}"
)
"""An annotation between a name and its value: `password: str = "x"`."""

WRAP = regex(
    r"(?:!!\w{1,20}\s{1,4}|\w{1,20}\[\d{1,9}\]\s(?=[\"'])|0x[0-9a-fA-F]{1,16}\s{1,2}(?=[\"'L])|string\(\d{1,9}\)\s|@(?=\")|&{1,2}(?=\")"
    r"|(?:new\s)?(?:[A-Za-z_]{1,20}(?:\.|::)){0,3}(?:Some|Ok|Just|Secret|SecretStr|SecretString|SecretBytes|String|str|bytes"
    r"|bytearray|Optional|Text|string|from|of|const char \*|NSString)\s?[\[({]\s{0,4}){0,3}"
)
QUOTE = regex(r"(?:u8|[bBrRuUfFL]{1,2})?(?P<quote>\\{0,7}(?:\"\"\"|'''|[\"'`]))")
BODY = {
    '"': regex(r"(?:[^\"\\\n]|\\.)*+"),
    "'": regex(r"(?:[^'\\\n]|\\.|'(?=[A-Za-z0-9][^'\"\n]{0,40}\")){0,65536}+"),
    "`": regex(r"(?:[^`\\]|\\.)*+", re.S),
}
BODY["'"] = regex(r"(?:[^'\\\n]|\\.)*+")
SCHEME = regex(r"(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|NTLM|AWS4-HMAC-SHA256|bearer|basic|token)[ \t]++")
BARE = regex(r"[^\s\"'`,;&|<>(){}\[\]]++")
ENVIRONMENT = regex(r"[^\s\"'`]++")
HEADER = regex(r"[^\r\n\"'`<>\\]++")
OPEN = regex(r"[\[({]\s{0,8}")
ITEM = regex(r"(?:[\w\"'-]{1,60}\s{0,2}(?:=>|[:=])\s{0,4})?(?=[bBrRuU]{0,2}\\{0,7}[\"'])")
NEXT = regex(r"\s{0,8},\s{0,8}")
ASKED = regex(r"\.(?:equals|equalsIgnoreCase|eq|eql|startswith|endswith|startsWith|endsWith|compareTo|matches)\Z")
"""Methods that compare what they are called on with a literal."""

ANY_QUOTE = regex(r"[\"'`]")
SETTER = regex(r"(?:\A|[._])(?:set|with|put|add)_?[A-Za-z]+\Z|\.(?:password|secret|apiKey|api_key|passphrase)\Z")
"""Methods that are given a value of the name in theirs: `setPassword("x")`."""

HEADERS = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))


def spans(text: str) -> Iterator[Span]:
    """Find secrets by the names before them. Spans do not overlap and come in order."""
    lower = text.lower()
    if not any(stem in lower for stem in STEMS):
        return
    position = 0
    while found := PAIR.search(text, position):
        position = found.end("name")
        verdict = _verdict(text, found)
        if verdict is None or not _linked(text, found, verdict):
            continue
        for start, end in value_spans(text, found.end(), found, verdict):
            yield start, end, verdict.kind
            position = max(position, end)


def _verdict(text: str, found: re.Match[str]) -> Verdict | None:
    """Judge the name, with the word before it where it is the second of two (`API key: x`)."""
    name = found["name"].rstrip(".-")
    if found["link"].strip() == "(":
        if ASKED.search(name):
            return judge(ASKED.sub("", name))
        return judge(name) if SETTER.search(name) or found.string[found.start() - 1 : found.start()] == "." else None
    if name.lower() in HEADERS:
        return Verdict(name.lower().rpartition("-")[2], True)
    verdict = judge(name)
    if verdict and verdict.sure:
        return verdict
    start = found.start()
    if name.lower() in ("key", "token", "code", "phrase", "pin") and text[start - 1 : start] == " ":
        before = re.search(r"[A-Za-z]{2,16}\Z", text[max(0, start - 17) : start - 1])
        if before and (name.lower() != "token" or before[0].lower() in MANY_TOKENS):
            verdict = judge(f"{before[0]}_{name}") or verdict
    return verdict


def _linked(text: str, found: re.Match[str], verdict: Verdict) -> bool:
    """Say whether what stands between a name and a value makes them a pair."""
    link, close = found["link"], found["close"]
    if "(" in link and not QUOTE.match(text, found.end()):
        return False
    if link.strip(" \t") == "":
        option = text[max(0, found.start() - 2) : found.start()] == "--"
        quoted = text[found.end() : found.end() + 1] in "\"'\\" and verdict.sure and verdict.kind != "token"
        login = re.search(r"\b(?:login|machine)\s+\S+\s\Z", text[max(0, found.start() - 80) : found.start()])
        return bool(option or login or (quoted and not close))
    if link.startswith(","):
        return bool(close) and verdict.sure and text[: found.start()].rstrip("\\\"'")[-1:] == "("
    if link == ":" and text[max(0, found.start() - 1) : found.start()] == ":":
        return False  # a part of a name with colons: `arn:aws:x:1:secret:db`
    if link.startswith(":") and found["name"] == "PASS" and text[max(0, found.start() - 4) : found.start()] == "--- ":
        return False  # a verdict of go test: `--- PASS: TestX/a_case (0.00s)`
    if link == ">":
        return not close and text[: found.start()][-1:] in ("<", ":")
    return not (found["name"].endswith("-") and link.startswith(">"))


def value_spans(text: str, at: int, found: re.Match[str] | None, verdict: Verdict) -> Iterator[tuple[int, int]]:
    """Find the secret parts of the value that starts at `at`: of a literal, a bare word, or a list of them."""
    name = found["name"] if found else verdict.kind
    if typed := TYPE.match(text, at):
        at = typed.end()
    wrap = WRAP.match(text, at)
    at = wrap.end() if wrap else at
    if QUOTE.match(text, at):
        start, end, _ = literal(text, at)
        yield from _scheme(text, start, end, verdict, name)
    elif opened := OPEN.match(text, at):
        yield from _items(text, opened.end(), verdict, name)
    else:
        yield from _bare(text, at, found, verdict, name)


def secret_spans(name: str, raw: str, verdict: Verdict) -> Iterator[tuple[int, int]]:
    """Find the secret parts of the value of a variable with a secret's name: every literal, where it is an object's."""
    plain = raw.lstrip()
    if QUOTE.match(plain) or plain[:1] in "[({" or not verdict.sure or not ANY_QUOTE.search(plain):
        yield from value_spans(raw, 0, None, verdict)
        return
    at = 0
    while found := ANY_QUOTE.search(raw, at):
        start, end, at = literal(raw, found.start())
        if worth(verdict, name, raw[start:end], quoted=True):
            yield start, end


def literal(text: str, at: int) -> tuple[int, int, int]:
    """Return where the content of a literal starts and ends, and where the literal ends; cut off, it ends the line."""
    found = QUOTE.match(text, at)
    assert found, "a literal starts with a quote"
    quote, start = found["quote"], found.end()
    if len(quote) == 1:
        body = BODY[quote].match(text, start)
        end = body.end() if body else start
        return start, end, min(len(text), end + 1)
    end = text.find(quote, start)
    line = len(text) if quote.startswith(('"""', "'''")) else text.find("\n", start)
    line = len(text) if line < 0 else line
    return (start, end, end + len(quote)) if 0 <= end <= line else (start, line, line)


def _scheme(text: str, start: int, end: int, verdict: Verdict, name: str) -> Iterator[tuple[int, int]]:
    """Mask a literal's content, but for the scheme of an `Authorization` header."""
    if (end == len(text) or text[end] == "\n") and text[start:end].lstrip()[:1] in ("", *"),]}+%;"):
        return  # no literal begins here: one ends, as in `prompt="Password: ")`
    if scheme := SCHEME.match(text, start, end):
        start = scheme.end()
        verdict = Verdict(verdict.kind, True)
    if worth(verdict, name, text[start:end], quoted=True):
        yield start, end


def _items(text: str, at: int, verdict: Verdict, name: str) -> Iterator[tuple[int, int]]:
    """Mask the literals of a list, a tuple or a dictionary that a secret's name holds."""
    limit, first = at + 65536, True
    while at < limit and (item := ITEM.match(text, at)):
        start, end, at = literal(text, item.end())
        keyed = item.group() and judge(item.group().strip(" :=>\"'"))
        sole = verdict.kind == "authorization" and first and not item.group() and NEXT.match(text, at)
        if not sole and (keyed or worth(verdict, name, text[start:end], quoted=True)):
            yield start, end
        first = False
        if not (comma := NEXT.match(text, at)):
            return
        at = comma.end()


def _bare(text: str, at: int, found: re.Match[str] | None, verdict: Verdict, name: str) -> Iterator[tuple[int, int]]:
    """Mask a value without quotes: a word, or the rest of the line of a header."""
    link = found["link"] if found else ""
    scheme = SCHEME.match(text, at)
    if found and name.lower() in HEADERS and ":" in link:
        start = scheme.end() if scheme else at
        value = HEADER.match(text, start)
    else:
        start = scheme.end() if scheme and verdict.kind in ("authorization", "token") else at
        line_start = found is not None and (found.start() == 0 or text[found.start() - 1] in "\n\r")
        pattern = ENVIRONMENT if line_start and link == "=" and name.isupper() else BARE
        value = pattern.match(text, start)
    if not value:
        return
    end = _before_mark(text, value)
    end = start + len(text[start:end].rstrip(": \t"))
    if start != at:
        verdict = Verdict(verdict.kind, True)
    if text[end : end + 1] in ("(", "[") and re.fullmatch(r"[\w.:>-]+", text[start:end]):
        return
    spaced = link.strip(" ") != link and "=" in link
    prose = ":" in link and re.match(r"[a-z]+ +[A-Za-z]", text[start : start + 80])
    if not prose and worth(verdict, name, text[start:end], quoted=False, spaced=spaced):
        yield start, end


def _before_mark(text: str, value: re.Match[str]) -> int:
    cut = text.find(OPENING, value.start(), value.end() + len(OPENING))
    return cut if cut >= 0 else value.end()
