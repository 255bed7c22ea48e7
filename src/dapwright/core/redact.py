"""Raw -> Safe: the one door through which what a program says leaves the process.

`text` masks what it finds by shape and by name in any text; `value` is for a
variable, whose name is known; `structure` for a whole answer. Redaction guards
against accidents: a program that means to leak can. It is done before clipping
and before rendering, so that no cut shows the beginning of a secret. Redacting
twice changes nothing. `Stream` is for output, which arrives in pieces.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dapwright.core.model import Safe
from dapwright.core.secrets import pairs
from dapwright.core.secrets.marks import MARK, OPENING, configure, mark, settings
from dapwright.core.secrets.masking import fill, masked, merged, spans
from dapwright.core.secrets.names import Verdict, judge_expression
from dapwright.core.secrets.stream import Stream
from dapwright.core.secrets.values import OBJECT, worth

__all__ = ["Stream", "configure", "enabled", "is_marked", "lines", "mark", "structure", "text", "value"]


def enabled() -> bool:
    """Say whether secrets are masked at all."""
    return settings.enabled


def text(raw: str, names: bool = True) -> Safe:
    """Mask secrets in any text: by shape, and with `names` also by the names before values."""
    return Safe(masked(raw, names))


def lines(raw: Sequence[str]) -> list[Safe]:
    """Mask secrets in lines that belong together, and keep their number: a secret over several has a mark in each."""
    joined, position, shown = "\n".join(raw), 0, []
    found = merged(spans(joined)) if settings.enabled else []
    for line in raw:
        end = position + len(line)
        inside = [(max(a, position) - position, min(b, end) - position, kind) for a, b, kind in found if a < end]
        shown.append(Safe(fill(line, [span for span in inside if span[1] > span[0]])))
        position = end + 1
    return shown


def value(name: str, raw: str, type: str = "") -> Safe:
    """Mask the value of a variable (or the result of an expression) by its name, and by what it is.

    `raw` is what a debugger shows: a literal stays a literal, with a mark inside
    its quotes. `type` is the debugger's word for the type, or "".
    """
    if not settings.enabled:
        return Safe(raw)
    verdict = judge_expression(name)
    if verdict is None or not raw.strip() or type in ("bool", "NoneType", "function", "type", "module", "float"):
        return text(raw)
    found = [(start, end, verdict.kind) for start, end in pairs.secret_spans(name, raw, verdict)]
    if not found and _bare(name, raw, verdict):
        found = [(0, len(raw), verdict.kind)]
    return text(fill(raw, merged(found)))


def structure(answer: Any) -> Any:
    """Mask secrets in an answer of dictionaries, lists and texts, however deep; what is no text stays as it is.

    A dictionary with `name` (or `expression`) and `value` (or `result`, `old`,
    `new`) is a variable; under other keys, a text is a value with the key as its name.
    """
    if not settings.enabled:
        return answer
    return _descend("", answer)


VALUES = frozenset(("value", "result", "old", "new", "returnValue", "default"))
NAMES = ("name", "expression", "evaluateName", "key", "variable")
"""Keys under which a dictionary tells the name of the variable that it is."""


def _descend(name: str, part: Any) -> Any:
    if isinstance(part, str):
        return value(name, part) if name else text(part)
    if isinstance(part, Mapping):
        told = next((part[key] for key in NAMES if isinstance(part.get(key), str)), "")
        return {key: _descend(told if key in VALUES and told else str(key), item) for key, item in part.items()}
    if isinstance(part, (list, tuple)):
        items = [_descend(name, item) for item in part]
        return items if isinstance(part, list) else tuple(items)
    return part


def _bare(name: str, raw: str, verdict: Verdict) -> bool:
    """Say whether a value that is no literal is a secret all the same: the text as such, a long number."""
    plain = raw.strip()
    if (
        plain[0] in "[({<"
        or pairs.QUOTE.match(plain)
        or MARK.search(plain)
        or OBJECT.fullmatch(plain)
        or (plain[-1:] in ")]}" and any(c in plain for c in "([{"))
    ):
        return False
    return worth(verdict, name, plain, quoted=not plain.replace(".", "").replace("-", "").isdigit() or len(plain) > 5)


def is_marked(text: str) -> bool:
    """Say whether a text holds a mark."""
    return OPENING in text and MARK.search(text) is not None
