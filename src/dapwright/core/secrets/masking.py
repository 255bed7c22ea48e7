"""All rules together: the spans of a text, and the text with marks in their place."""

from collections.abc import Iterable

from dapwright.core.secrets import pairs, places, shapes
from dapwright.core.secrets.marks import MARK, mark, settings
from dapwright.core.secrets.shapes import Span

KEPT_CHARACTERS, KEPT_TEXTS = 300, 4096
"""Texts that were read and hold no secret: how long one may be, and how many are known."""
_clean: set[tuple[str, bool]] = set()
MOST = 4
"""How often a text is read again because masking showed something new. Two are enough for all that we know of."""


def masked(raw: str, names: bool = True) -> str:
    """Mask every secret of a text; the result has none that another reading would find."""
    if not settings.enabled or len(raw) < 6 or (raw, names) in _clean:
        return raw
    done = raw
    for _ in range(MOST):
        again = fill(done, merged(spans(done, names)))
        if again == done:
            break
        done = again
    if done == raw and len(raw) <= KEPT_CHARACTERS:
        _remember(raw, names)
    return done


def _remember(raw: str, names: bool) -> None:
    """Paths, names, types and values come again with each answer; what holds a secret is never kept."""
    if len(_clean) >= KEPT_TEXTS:
        _clean.clear()
    _clean.add((str.__str__(raw), names))


def spans(raw: str, names: bool = True) -> list[Span]:
    """Find where secrets stand, by shape and place, and with `names` by the names before them too."""
    found: list[Span] = [*shapes.spans(raw), *places.spans(raw)]
    if names:
        found += [*pairs.spans(raw), *places.named_spans(raw)]
    return found


def merged(found: Iterable[Span]) -> list[Span]:
    """Order spans and join those that overlap; the kind is that of the first and longest."""
    joined: list[Span] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if joined and start < joined[-1][1]:
            first, last, kept = joined[-1]
            joined[-1] = (first, max(last, end), kept)
        elif end > start:
            joined.append((start, end, kind))
    return joined


def fill(raw: str, found: Iterable[Span]) -> str:
    """Put marks in the place of spans, which are in order and do not overlap."""
    pieces, position = [], 0
    for start, end, kind in found:
        secret = raw[start:end]
        if MARK.fullmatch(secret):
            continue
        pieces += [raw[position:start], mark(kind, secret)]
        position = end
    return "".join([*pieces, raw[position:]])
