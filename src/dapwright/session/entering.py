"""Entering a chosen call where the engine cannot choose one: in, and out again of every other."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dapwright.core.errors import UsageError
from dapwright.core.lazy import regex
from dapwright.core.model import Frame
from dapwright.session import showing
from dapwright.session.connection import Stop
from dapwright.session.session import Session

CALL = regex(r"([A-Za-z_$][\w$]*)\s*(?:<[^<>()]*>|::<[^()]*>)?!?\s*\(")
WORDS = regex(r"[\w$]+")
NO_CALLS = frozenset({"if", "for", "while", "switch", "catch", "return", "when", "match", "func", "fn", "sizeof"})
DEPTH = 12
"""How deep below the place of the step a call's own frame is looked for."""
TRIES = 40

Advance = Callable[[str], Awaitable[Stop | None]]
"""Step `into` or `out`; the stop, or None where something other than the step's end came."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chosen step began."""

    name: str
    file: str
    line: int

    def depth_in(self, frames: list[Frame]) -> int | None:
        """How far below the innermost frame this place is now; None where it was left."""
        for depth, frame in enumerate(frames):
            if (frame.name, frame.file, frame.line) == (self.name, self.file, self.line):
                return depth
        return None


def callee(label: str, line: str) -> str:
    """The name of the call that `label` means (`deposit`, `bank.deposit(x)`, `Bank::deposit`) on a line.

    Raises:
        UsageError: no such call is on the line; those that are, are listed.
    """
    calls = [name for name in CALL.findall(line) if name not in NO_CALLS]
    words = WORDS.findall(label.partition("(")[0])
    if words and (words[-1] in calls or not line):
        return str(words[-1])
    known = ", ".join(f"`{name}`" for name in dict.fromkeys(calls)) or "none"
    raise UsageError(f"no call on this line is named `{label}`", f"calls here: {known}")


def is_named(frame: Frame, name: str) -> bool:
    """Whether a frame is of the function `name`, however qualified; a constructor has its class's name."""
    words = WORDS.findall(showing.plain_name(frame.name).partition("(")[0].strip() or frame.name)
    if words and (words[-1] == name or (words[-1] in ("init", "new") and name in words)):
        return True
    return name in WORDS.findall(frame.name.rpartition(").")[2].partition("(")[0])  # Go: `main.(*Bank).deposit`


async def begin(stop: Stop, label: str) -> tuple[Place, str]:
    """Where the step begins, and the name of the function that it is to enter."""
    frame = (await stop.connection.frames(stop, 1))[0]
    lines = showing.source_lines(frame.file)
    text = lines[frame.line - 1] if 0 < frame.line <= len(lines) else ""
    return Place(frame.name, frame.file, frame.line), callee(label, text)


async def enter(session: Session, place: Place, name: str, advance: Advance) -> None:
    """Step in and out along the line until `name` is entered; a line left without it is told as a note."""
    how = "into"
    for _ in range(TRIES):
        stop = await advance(how)
        if stop is None:
            return
        frames = await stop.connection.frames(stop, DEPTH)
        depth = place.depth_in(frames)
        if depth and is_named(frames[0], name):
            return
        if depth is None:
            break
        how = "out" if depth else "into"
    session.notes.append(f"`{name}` was not entered: the line ended, or only library code was called")
