"""Cutting a text without cutting a character or a mark in two."""

import unicodedata

from dapwright.core.model import Safe


def clip(safe: str, limit: int, *, at_end: bool = False) -> Safe:
    """Cut a text to at most `limit` characters, in the middle (or `at_end`), saying how many are gone.

    Neither a character with its accents nor a mark is cut through.
    """
    if len(safe) <= limit:
        return Safe(safe)
    notice = f"…[{len(safe) - limit} cut]…"
    room = limit - len(notice) - 1
    if room < 8:
        return Safe(safe[: whole(safe, max(0, limit - 1))] + "…"[:limit])
    head = whole(safe, room if at_end else room - room // 3)
    tail = len(safe) if at_end else whole_from(safe, len(safe) - room // 3)
    return Safe(f"{safe[:head]}…[{tail - head} cut]…{safe[tail:]}"[:limit])


def _joins(character: str) -> bool:
    """Say whether a character belongs to the one before it: an accent, half of a pair, a joiner."""
    return unicodedata.combining(character) > 0 or "\udc00" <= character <= "\udfff" or character in "\u200d\ufe0f"


def whole(text: str, cut: int) -> int:
    """Move a cut back so that it splits no character and no mark."""
    opened = text.rfind("<redacted:", max(0, cut - 48), cut)
    if opened >= 0 and ">" not in text[opened:cut]:
        cut = opened
    for _ in range(16):
        if not 0 < cut < len(text) or not (_joins(text[cut]) or text[cut - 1] == "\u200d"):
            break
        cut -= 1
    return cut


def whole_from(text: str, start: int) -> int:
    """Move the beginning of a tail forward so that it starts with a whole character, and with no half of a mark."""
    opened = text.rfind("<redacted:", max(0, start - 48), start)
    closed = text.find(">", opened) if opened >= 0 else -1
    if closed >= start:
        start = closed + 1
    for _ in range(16):
        if start >= len(text) or not (_joins(text[start]) or text[start - 1] == "\u200d"):
            break
        start += 1
    return start
