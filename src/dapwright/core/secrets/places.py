"""Secrets that show by where they stand: in a URL, a connection string, a command line, a list of variables."""

import re
from collections.abc import Iterator

from dapwright.core.lazy import regex
from dapwright.core.secrets.marks import OPENING
from dapwright.core.secrets.names import Verdict, judge
from dapwright.core.secrets.shapes import MORE, Span
from dapwright.core.secrets.values import HIDDEN, TEMPLATE, worth

USERINFO = regex(
    r"://(?:[^\s/:@\"'<>?#]{0,200}+:(?P<rest>(?:[^\s/\"'<>,]|[\"'][ \t]{0,3}\+[ \t]{0,3}[\"']){1,300})@"
    r"|[^\s/:@\"'<>?#]{0,200}+:(?P<cut>[^\s/@\"'<>,?#]{1,300}+))"
)
"""A password in a URL; `cut` is one whose end, with the `@`, was cut off."""

SIGNATURE = regex(
    r"[?&](?:sig|signature|Signature|X-Amz-Signature|X-Amz-Credential|X-Goog-Signature|x-amz-signature)="
    r"(?P<value>[A-Za-z0-9%+/=_.~-]{16,}+)"
)
"""Signed URLs of object stores, and Azure's shared access signatures."""

PWD = regex(
    r"(?i)(?:\b(?:uid|user|user ?id|username|server|database|host|data source)\b[^\n]{0,200}?[;\s])"
    r"pwd\s?=\s?(?P<value>[^;\s\"'<]{1,200}+)"
)
"""`Pwd` alone is a folder; in a connection string it is a password."""

USER = regex(r"(?<=\s)(?:-u|--user)[ =][\"']?[^\s:\"'/]{1,100}+:(?P<value>[^\s\"'@]{1,200}+)")
"""The credentials on curl's command line."""

NAMED = regex(
    r"[\"']?\b(?:name|key|Name|Key|NAME|KEY|variable|id)\b\\{0,7}[\"']?\s{0,4}(?:[:=]|=>)\s{0,4}"
    r"\\{0,7}[\"']?(?P<name>[A-Za-z_][\w.-]{1,80}+)\\{0,7}[\"']?[ ]?(?:[,;]|\s|\n)\s{0,20}-?\s{0,4}"
    r"(?:\\{0,7}[\"']?type\\{0,7}[\"']?\s{0,4}[:=]\s{0,4}\\{0,7}[\"']?\w{1,30}\\{0,7}[\"']?,?\s{0,4})?"
    r"\\{0,7}[\"']?\b(?:value|Value|VALUE|result|default)\\{0,7}[\"']?\s{0,4}(?:[:=]|=>)\s{0,4}"
    r"(?P<quote>\\{0,7}[\"'])?"
)
"""`{"name": "DB_PASSWORD", "value": "x"}`, `<add key="password" value="x"/>`, and the same in YAML."""

COMPARED = regex(
    r"(?P<quote>[\"'])(?P<value>[^\"'\\\n]{1,200}+)(?P=quote)\s{0,3}(?:===?|!==?)\s{0,3}(?P<name>[A-Za-z_][\w.]{1,80}+)(?![(\w])"
)
"""`"x" == password`, as some write conditions."""

REST = {"": regex(r"[^\s,;}\"'<>&]{1,4096}+")}


def spans(text: str) -> Iterator[Span]:
    """Find secrets by their place. Spans may overlap."""
    if "://" in text:
        yield from _userinfo(text)
    if "=" in text:
        yield from _found(SIGNATURE, text, "signature", "ignature=" in text or "sig=" in text or "X-Amz" in text)
        yield from _found(PWD, text, "password", "pwd" in text.lower())
    yield from _found(USER, text, "password", "-u" in text)


def named_spans(text: str) -> Iterator[Span]:
    """Find values whose name stands as a value itself, and literals compared with a secret's name."""
    if "alue" in text or "esult" in text or "efault" in text or "VALUE" in text:
        yield from _named(text)
    if "==" in text or "!=" in text:
        for found in COMPARED.finditer(text):
            verdict = judge(found["name"])
            if verdict and worth(verdict, found["name"], found["value"], quoted=True):
                yield (*found.span("value"), verdict.kind)


def _userinfo(text: str) -> Iterator[Span]:
    for found in USERINFO.finditer(text):
        whole = found["rest"] is not None
        start, end = found.span("rest" if whole else "cut")
        secret = text[start:end]
        if OPENING in secret or TEMPLATE.fullmatch(secret) or HIDDEN.fullmatch(secret) or not secret.strip("+\"' "):
            continue
        if whole or (_is_cut(text, end) and any(c.isalpha() for c in secret) and any(c.isdigit() for c in secret)):
            yield start, end, "password"


def _is_cut(text: str, end: int) -> bool:
    return end >= len(text) or MORE.match(text, end) is not None or text[end - 2 : end] == ".." or text[end - 1] == "…"


def _found(pattern: re.Pattern[str], text: str, kind: str, likely: bool) -> Iterator[Span]:
    if not likely:
        return
    for found in pattern.finditer(text):
        secret = found["value"]
        if not (OPENING in secret or TEMPLATE.fullmatch(secret) or HIDDEN.fullmatch(secret)):
            yield (*found.span("value"), kind)


def _named(text: str) -> Iterator[Span]:
    for found in NAMED.finditer(text):
        verdict = judge(found["name"])
        if verdict is None:
            continue
        start, quote = found.end(), found["quote"]
        if quote:
            end = text.find(quote, start)
            end = len(text) if end < 0 else end
        else:
            bare = REST[""].match(text, start)
            end = bare.end() if bare else start
        if worth(Verdict(verdict.kind, verdict.sure), found["name"], text[start:end], quoted=bool(quote)):
            yield start, end, verdict.kind
