"""Redaction of output that arrives in pieces.

Text goes on at once, but for an end that may be the beginning of a secret: that
waits for what comes next, `HOLD` characters at most. What went on is remembered
for `CONTEXT` characters, so that a name in one piece and its value in the next
belong together. A secret longer than what may wait is masked as far as it is
known, and what follows of it is swallowed.
"""

import re

from dapwright.core.lazy import regex
from dapwright.core.model import Safe
from dapwright.core.secrets.marks import mark, settings
from dapwright.core.secrets.masking import fill, masked, merged, spans
from dapwright.core.secrets.names import STEM, judge
from dapwright.core.secrets.shapes import PATTERNS, PREFIXES

HOLD = 256
CONTEXT = 160
_WORD = regex(r"[A-Za-z0-9_.$-]*\Z")
_URL = regex(r"://[^\s/@\"'<>]*\Z")
_UNDECIDED = regex(r"(?:[?&][\w-]{1,40}=[^\s&]*|earer +[^\s]*)\Z")
_ELEMENT = regex(r"<(?P<name>[\w.:-]{1,80})>(?P<value>[^<>\n]{1,200}(?:</?[\w.:-]{0,80})?)\Z")
_RUN = regex(r"\S{1,256}\Z")
_NEEDLES = [rule.needle for rule in PREFIXES] + [needle for needle, _, _ in PATTERNS if needle[0].isalnum()]
_REST = regex(r"[^\s\"'`,;&|<>(){}\[\]]*+")
_KEY_LINE = regex(r"(?:[A-Za-z0-9+/=]+(?:\s|\\[rn])*|(?:\s|\\[rn])+)*+")
_KEY_BEGUN = regex(r"PRIVATE KEY(?: BLOCK)?-----(?P<body>[A-Za-z0-9+/=\s\\]*)\Z")
_KEY_END = regex(r"-----END [A-Z0-9 ]{0,40}-----")
_KEY_END_BEGUN = regex(r"-{1,5}(?:E(?:N(?:D[A-Z0-9 ]{0,41}-{0,5})?)?)?\Z")
LONG = 20
"""A word of this length at the end may be a token that no prefix tells."""


class Stream:
    """One stream of output, a category of one launch. Not for more than one."""

    def __init__(self) -> None:
        self._held = ""
        self._before = ""
        self._swallowing = ""

    def feed(self, chunk: str) -> Safe:
        """Take the next piece as the program wrote it; return what can be shown by now."""
        if not settings.enabled:
            return Safe(chunk)
        return self._advance(chunk, at_end=False)

    def flush(self) -> Safe:
        """Return what waited, masked as it stands: at a stop, and at the end."""
        return self._advance("", at_end=True) if self._held and settings.enabled else Safe("")

    def _advance(self, chunk: str, *, at_end: bool) -> Safe:
        waiting, self._held = self._held, ""
        raw = self._without_rest(waiting + chunk)
        if not raw:
            return Safe("")
        joined, offset = self._before + raw, len(self._before)
        found = merged(spans(joined))
        cut = len(joined) if at_end else max(offset, _safe_end(joined, offset))
        ending = found[-1] if found and found[-1][1] == len(joined) else None
        if ending and ending[2] == "private-key":
            self._swallowing, cut = "key", len(joined)
        elif ending and not at_end:
            cut = min(cut, max(offset, ending[0]))
        if len(joined) - cut > HOLD:
            cut = len(joined) if ending else len(joined) - HOLD
        found = [span for span in found if span[1] > offset and span[0] < cut]
        if found and found[-1][1] > cut:
            cut = found[-1][1]
        if ending and ending[0] < cut and not self._swallowing:
            self._swallowing = "word"
        self._held = joined[cut:]
        self._before = _context(joined[max(0, cut - CONTEXT) : cut])
        return Safe(masked(_shown(joined[:cut], offset, found)) if found else joined[offset:cut])

    def _without_rest(self, raw: str) -> str:
        """Drop the rest of a secret whose beginning was masked already."""
        if self._swallowing == "word":
            rest = _REST.match(raw)
            raw = raw[rest.end() :] if rest else raw
        elif self._swallowing == "key":
            line = _KEY_LINE.match(raw)
            raw = raw[line.end() :] if line else raw
            if _KEY_END_BEGUN.match(raw):
                self._held = raw
                return ""
            end = _KEY_END.match(raw)
            raw = raw[end.end() :] if end else raw
        if raw and self._swallowing:
            self._swallowing, self._before = "", ""
        return raw


def _context(text: str) -> str:
    """Keep of what went on the line that goes on, and one before it that announces a value: `["password"]=>`."""
    if not text.endswith("\n"):
        return text[text.rfind("\n", 0, max(0, len(text) - 80)) + 1 :] if "\n" in text else text
    line = text[text.rfind("\n", 0, len(text) - 1) + 1 :]
    announces = line.rstrip()[-1:] in ("=", ">", ":", "-", ",", "(", "[", "{") or "ame" in line or "key" in line
    return line if announces else ""


def _shown(joined: str, offset: int, found: list[tuple[int, int, str]]) -> str:
    """Mask what lies after `offset`; a secret that began before it is masked from there on."""
    first = ""
    if found and found[0][0] < offset:
        start, end, kind = found.pop(0)
        first, offset = mark(kind, joined[max(start, offset) : end]), end
    return first + fill(joined[offset:], [(start - offset, end - offset, kind) for start, end, kind in found])


def _safe_end(joined: str, offset: int) -> int:
    """Return where the end begins that may turn out to be a secret; the length where there is none."""
    tail = joined[max(offset, len(joined) - HOLD) :]
    base = len(joined) - len(tail)
    if key := _KEY_BEGUN.search(joined, max(0, len(joined) - HOLD)):
        return max(offset, key.start("body"))
    if joined.endswith("\n"):
        return len(joined)
    if url := _URL.search(tail):
        return base + url.start()
    if undecided := _UNDECIDED.search(tail):
        return base + undecided.start()
    if (element := _ELEMENT.search(joined, max(0, len(joined) - HOLD))) and judge(element["name"]):
        return max(offset, element.start("value"))
    line = joined[max(joined.rfind("\n") + 1, len(joined) - CONTEXT) :]
    if STEM.search(line) and (run := _RUN.search(tail)):
        return base + run.start()
    word = _WORD.search(tail)
    text = word.group() if word else ""
    if not text or not word:
        return len(joined)
    if len(text) >= LONG or any(needle.startswith(text) or needle in text for needle in _NEEDLES):
        return base + word.start()
    parts = re.split(r"[.-]", text)
    if any(needle.startswith(parts[-1]) for needle in _NEEDLES if parts[-1]):
        return len(joined) - len(parts[-1])
    return len(joined)
