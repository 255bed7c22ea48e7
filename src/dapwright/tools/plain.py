"""The last sweep over an answer: only JSON, only text, nothing empty, nothing endless."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.render import CEILING_BYTES

KEPT = frozenset({"rows", "probes", "locals"})
"""Lists that are told though empty: an empty list of locals is knowledge."""
DATA = frozenset({"value", "result", "returnValue", "old", "new", "content"})
"""Strings of the debugged program: an empty one is a value, not an absence."""
LARGEST_INTEGER = 2**63


def clean(text: str) -> str:
    """Text without lone surrogates; halves that belong together are joined."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def plain(value: Any) -> Any:
    """The value as JSON has it: text is Unicode, odd numbers are text, anything else is its `str`."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(str.__str__(value))
    if isinstance(value, int):
        return int(value) if abs(value) < LARGEST_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, msgspec.Struct):
        value = {
            wire: getattr(value, name)
            for name, wire in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        }
    if isinstance(value, Mapping):
        return {clean(str(key)): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return clean(str(value))


def pruned(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what says nothing: nulls, and empty lists, objects and strings that are not values.

    Takes what `plain` made. The captures of a probe (`values`) are the program's and stay whole.
    """
    left: dict[str, Any] = {}
    for key, value in answer.items():
        if key == "values" and isinstance(value, dict):
            left[key] = {name: one for name, one in value.items() if one is not None}
            continue
        value = _pruned_value(value)
        if value is None or (value in ([], {}) and key not in KEPT) or (value == "" and key not in DATA):
            continue
        left[key] = value
    return left


def _pruned_value(value: Any) -> Any:
    if isinstance(value, dict):
        return pruned(value)
    if isinstance(value, list):
        return [_pruned_value(one) for one in value if one is not None]
    return value


def weigh(value: Any) -> int:
    """The size of a value as JSON, in bytes."""
    return len(msgspec.json.encode(value))


def fit(answer: dict[str, Any], limit: int = CEILING_BYTES) -> dict[str, Any]:
    """Cut an answer that is too heavy, longest parts first, and announce it in `truncation`."""
    if weigh(answer) <= limit:
        return answer
    texts, items = 16_384, 1_000
    while True:
        cut = _Cut(texts, items)
        smaller: dict[str, Any] = {**cut.take(answer)}
        smaller["truncation"] = _told(_dict(answer.get("truncation")), cut)
        smaller |= _counted(answer, smaller)
        if weigh(smaller) <= limit or texts <= 16:
            return smaller
        texts, items = texts // 2, max(items * 2 // 3, 1)


def _told(earlier: dict[str, Any], cut: "_Cut") -> dict[str, Any]:
    """What was cut in all: what an earlier cut left out stays left out."""
    told = cut.counts()
    told["omittedCount"] += earlier.get("omittedCount") or 0
    if cut.texts >= EARLIER:
        told["valueTruncatedCount"] += earlier.get("valueTruncatedCount") or 0
    return {**earlier, **told}


EARLIER = 1025
"""Values cut before are shorter: a cut below this finds each of them again."""


def _counted(answer: dict[str, Any], smaller: dict[str, Any]) -> dict[str, int]:
    """A `count` of rows that were left out since is counted again."""
    counted = [key for key, one in answer.items() if isinstance(one, list) and len(one) == answer.get("count")]
    return {"count": len(smaller[counted[0]])} if counted and counted[0] in smaller else {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


class _Cut:
    """One attempt to cut a tree down; counts what it left out."""

    def __init__(self, texts: int, items: int) -> None:
        self.texts, self.items = texts, items
        self.omitted = self.shortened = 0

    def counts(self) -> dict[str, Any]:
        notice = "the answer was over 256 KB and was cut; ask for less: page, or name what you want"
        return {"omittedCount": self.omitted, "valueTruncatedCount": self.shortened, "notice": notice}

    def take(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > self.texts:
            self.shortened += 1
            return value[: self.texts] + "..."
        if isinstance(value, list):
            self.omitted += max(len(value) - self.items, 0)
            return [self.take(one) for one in value[: self.items]]
        if isinstance(value, dict):
            kept = list(value.items())[: max(self.items, 64)]
            self.omitted += len(value) - len(kept)
            return {key: self.take(one) for key, one in kept}
        return value


def fit_text(text: str, limit: int) -> str:
    """Cut a text to so many bytes of UTF-8, and say so."""
    if len(text) * 4 <= limit or len(text.encode()) <= limit:
        return text
    notice = "\n[cut here: the answer was over 256 KB]"
    return text.encode()[: max(limit - len(notice), 0)].decode("utf-8", "ignore") + notice
