"""What one launch printed: its entries, pages of them, and what nobody was told yet.

An entry is a chunk as the engine sent it, redacted (what may be the beginning
of a secret comes with the next chunk), its middle cut beyond `ENTRY` characters.
Text is made fit to be shown: half characters (lone surrogates) become U+FFFD,
terminal escapes and their arguments are dropped, a carriage return before a
line's end too; NUL and other controls are shown by their pictures (`␀`).
"""

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Any, NamedTuple

from dapwright.core.model import Safe
from dapwright.core.redact import Stream

KEPT = 1000
ENTRY = 8192
TAIL = 2000
MOST = 1000
"""Entries of one page at most."""

PAGE_BYTES = 100_000
"""What the entries of one page weigh together at most: both forms of it stay within an answer's ceiling."""

TOLD = frozenset(("stdout", "stderr", "console", "important", "log"))
"""Categories that stop answers tell; telemetry is dropped, whoever asks."""

ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;:<=>?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\)|[PX^_][^\x1b\n]{0,2048}\x1b\\"
    r"|[ -/]{1,4}[0-~]|[0-~])?|\x9b[0-9;:<=>?]{0,64}[ -/]{0,8}[@-~]"
)
HALF_ESCAPE = re.compile(r"\x1b(?:\[[0-9;:<=>?]{0,64}[ -/]{0,8}|\][^\x07\x1b\n]{0,256}\x1b?|[ -/]{0,4})?\Z")
"""An escape whose end has not come yet: it waits for the next chunk."""

LONE = re.compile(r"[\ud800-\udfff]")
PAIR = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")
CONTROLS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"} | {0x7F: "␡"}
ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class Entry(NamedTuple):
    """A chunk of output: `seq` counts from 1, `timestamp` is in milliseconds."""

    seq: int
    category: str
    output: Safe
    timestamp: int
    truncated: bool


def cleaned(text: str) -> str:
    """Make text fit to be shown and sent: no half characters, escapes or invisible controls."""
    if not ODD.search(text):
        return text
    if LONE.search(text):
        joined = PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
        text = LONE.sub("\ufffd", joined)
    return ESCAPES.sub("", text).replace("\r\n", "\n").translate(CONTROLS)


class _Channel:
    """A category's own stream: what waits of an escape or of a secret."""

    def __init__(self) -> None:
        self.stream = Stream()
        self.half = ""
        self.timestamp = 0

    def feed(self, text: str) -> Safe:
        text, self.half = self.half + text, ""
        if "\x1b" in text[-320:] and (half := HALF_ESCAPE.search(text, max(0, len(text) - 320))):
            text, self.half = text[: half.start()], half.group()
        elif text.endswith("\r") or "\ud800" <= text[-1:] <= "\udbff":
            text, self.half = text[:-1], text[-1]
        return self.stream.feed(cleaned(text))

    def flush(self) -> Safe:
        half, self.half = self.half, ""
        return Safe(self.stream.feed(cleaned(half)) + self.stream.flush())


class Transcript:
    """The output of one launch. Entries that are too old are dropped, and counted."""

    def __init__(self, limit: int = KEPT) -> None:
        self._entries: deque[Entry] = deque(maxlen=limit)
        self._channels: dict[str, _Channel] = {}
        self._last = 0
        self._searched = 0
        self._begun = ""

    @property
    def last(self) -> int:
        """The number of the newest entry, 0 before the first: a cursor that has told everything."""
        return self._last

    @property
    def categories(self) -> frozenset[str]:
        """Those that something came under in this run."""
        return frozenset(self._channels)

    def add(self, category: str, text: str, timestamp: int) -> Entry | None:
        """Take a chunk from the engine; return its entry, or None where nothing of it can be shown yet.

        `category` is the engine's (`stdout` where it named none), `timestamp` in milliseconds.
        """
        category = category or "console"
        if category == "telemetry":
            return None
        channel = self._channels.get(category)
        if channel is None:
            channel = self._channels[category] = _Channel()
        channel.timestamp = timestamp
        if len(text) > 8 * ENTRY:
            return self._keep_ends(category, text, timestamp)
        return self._keep(category, channel.feed(text), timestamp)

    def _keep_ends(self, category: str, text: str, timestamp: int) -> Entry | None:
        """Keep a huge chunk's ends, which are all that is shown of it; each is redacted with ample surroundings."""
        head = self._channels[category].feed(text[: 2 * ENTRY]) + self._channels[category].flush()
        channel = self._channels[category] = _Channel()
        channel.timestamp = timestamp
        tail = channel.feed(text[-2 * ENTRY :])
        return self._keep(category, Safe(head + tail), timestamp, omitted=len(text) - 4 * ENTRY)

    def flush(self) -> list[Entry]:
        """Let go what waited for more: at each stop, and at the end. Return the entries that this made."""
        made = [self._keep(name, channel.flush(), channel.timestamp) for name, channel in self._channels.items()]
        return [entry for entry in made if entry]

    def page(
        self,
        since: int = 0,
        *,
        limit: int = 100,
        categories: Collection[str] | None = None,
        tail: int | None = None,
    ) -> dict[str, Any]:
        """Answer entries after number `since`, at most `limit`; with `tail` the last so many of them.

        `dropped` counts what was lost between `since` and the oldest entry kept;
        `nextSince` is the `since` of the next page.
        """
        limit = max(1, min(limit, MOST))
        oldest = self._entries[0].seq if self._entries else self._last + 1
        dropped = max(0, oldest - 1 - max(0, since))
        found = [entry for entry in self._after(since) if not categories or entry.category in categories]
        shown = _within(found[-min(tail, limit) :][::-1])[::-1] if tail else _within(found[:limit])
        more = not tail and len(found) > len(shown)
        following = shown[-1].seq if more else max(self._last, min(since, self._last))
        return {
            "entries": [_told(entry) for entry in shown],
            "nextSince": following,
            "hasMore": more,
            "dropped": dropped,
        }

    def text(self, since: int = 0) -> str:
        """Return all that is kept after entry `since`, as one text."""
        self.flush()
        return "".join(entry.output for entry in self._after(since))

    def reports(self, find: Callable[[str], tuple[list[str], int]]) -> list[str]:
        """What `find` makes of stderr since it was asked before: each report once, however its text was split.

        `find` tells up to which character it read; the rest is shown to it again with what follows.
        """
        if self._searched == self._last:
            return []
        fresh = "".join(entry.output for entry in self._after(self._searched) if entry.category == "stderr")
        self._searched = self._last
        told, end = find(self._begun + fresh)
        self._begun = (self._begun + fresh)[end:][-8 * ENTRY :]
        return told

    def unread(self, cursor: int, limit: int = TAIL) -> tuple[Safe, int]:
        """Return the tail of what was printed after `cursor` (an entry's number), and the cursor of next time.

        What waited is let go first. Lines of `stderr` begin with `stderr: `, and
        those of the debugger with `console: `, wherever the category changes.
        """
        self.flush()
        dropped = max(0, (self._entries[0].seq if self._entries else self._last + 1) - 1 - cursor)
        size, chosen = 0, []
        for entry in reversed(self._entries):
            if entry.seq <= cursor or size > limit * 2:
                break
            if entry.category in TOLD:
                chosen.append(entry)
                size += len(entry.output)
        text = _labelled(reversed(chosen))
        complete = not dropped and (not self._entries or size <= limit * 2)
        return _tail(text, limit, complete), self._last

    def _after(self, since: int) -> Iterable[Entry]:
        """Return the entries after a number without looking at those before it."""
        if not self._entries:
            return ()
        return islice(self._entries, max(0, since + 1 - self._entries[0].seq), None)

    def _keep(self, category: str, text: Safe, timestamp: int, omitted: int = 0) -> Entry | None:
        if not text:
            return None
        self._last += 1
        cut = len(text) > ENTRY
        entry = Entry(self._last, category, _middle_cut(text, omitted) if cut else text, timestamp, cut)
        self._entries.append(entry)
        return entry


def _within(entries: list[Entry]) -> list[Entry]:
    """The first entries that fit an answer together; one at least."""
    size = 0
    for at, entry in enumerate(entries):
        size += len(entry.output.encode()) + entry.output.count("\n") + 60
        if at and size > PAGE_BYTES:
            return entries[:at]
    return entries


def _told(entry: Entry) -> dict[str, Any]:
    told = {"seq": entry.seq, "category": entry.category, "output": entry.output, "timestamp": entry.timestamp}
    return told | {"truncated": True} if entry.truncated else told


def _middle_cut(text: str, omitted: int) -> Safe:
    half = (ENTRY - 64) // 2
    return Safe(f"{text[:half]}\n… {len(text) + omitted - 2 * half} characters cut …\n{text[-half:]}")


def _labelled(entries: Iterable[Entry]) -> str:
    """Join entries to text; each line that is not of `stdout` says whose it is."""
    pieces: list[str] = []
    at_start, current = True, "stdout"
    for entry in entries:
        if entry.category != current and not at_start:
            pieces.append("\n")
            at_start = True
        current = entry.category
        text = str(entry.output)
        if current != "stdout":
            label = f"{current}: "
            body = text[:-1] if text.endswith("\n") else text
            text = (label if at_start else "") + body.replace("\n", "\n" + label) + text[len(body) :]
        pieces.append(text)
        at_start = text.endswith("\n")
    return "".join(pieces)


def _tail(text: str, limit: int, complete: bool) -> Safe:
    if len(text) <= limit and complete:
        return Safe(text)
    notice = "… earlier output cut: get_output has it …\n"
    kept = text[-(limit - len(notice)) :] if limit > len(notice) else ""
    line = kept.find("\n")
    if 0 <= line < 200 and len(text) > len(kept):
        kept = kept[line + 1 :]
    return Safe(notice + kept)
