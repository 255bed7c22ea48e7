"""What changed in a frame since the program last stood in it.

Rule: frames are told apart by their thread and by who called them from where, never by their
function alone: the next round of a recursion is no later look at this one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dapwright.core.model import Frame

CALLERS = 6
"""Callers by which a call is known: stacks are told by their first frames, more or fewer of them at each look."""
Thread = tuple[int, int | None]
"""A connection's number and the engine's id of a thread."""


@dataclass(frozen=True, slots=True)
class Activation:
    """One call of a function, as far as a stack tells it from another."""

    thread: Thread
    function: tuple[str, str]
    callers: tuple[tuple[str, str, int], ...]
    """Name, file and line of each: they stay as they are until it returns."""
    depth: int
    """How deep it lies, where the engine counts frames beyond those told; else 0."""
    engine_id: int
    """The engine's id, where it stays the same from stop to stop; else 0."""


@dataclass(slots=True)
class _Seen:
    stop: int
    before: Mapping[str, str] | None
    now: Mapping[str, str]


@dataclass(slots=True)
class Revisits:
    """The values that each frame had when it was looked at, until it is gone from its thread's stack."""

    seen: dict[Activation, _Seen] = field(default_factory=dict[Activation, _Seen])

    def look(
        self, stack: Sequence[Activation], index: int, *, stop: int, now: Mapping[str, str]
    ) -> Mapping[str, str] | None:
        """Keep what the frame at `index` holds at this stop; what it held at its stop before, None at its first.

        A second look at one stop answers as the first did.
        """
        mine = stack[index]
        for gone in [one for one in self.seen if one.thread == mine.thread and one not in stack]:
            del self.seen[gone]
        last = self.seen.get(mine)
        before = None if last is None else last.before if last.stop == stop else last.now
        self.seen[mine] = _Seen(stop, before, now)
        return before


def activations(thread: Thread, frames: Sequence[Frame], total: int | None, *, keeps_ids: bool) -> list[Activation]:
    """The calls that a thread is in, innermost first; `total`: frames that it has in all, where that is known."""
    rows = tuple((frame.name, frame.file, frame.line) for frame in frames)
    return [
        Activation(
            thread,
            (frame.file, frame.name),
            rows[index + 1 : index + 1 + CALLERS],
            total - index if total else 0,
            frame.id if keeps_ids else 0,
        )
        for index, frame in enumerate(frames)
    ]
