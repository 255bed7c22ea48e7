"""Calls as they begin and end in a program that an engine traces: threads apart, within limits.

An engine tells what it sees: a function in focus begins at some depth of a thread's stack, or
returns there. What stands deeper than an event has ended without a return: it raised, where something was
thrown, or, where its kind can, it was suspended. Pure; an engine asks for values only where `shown` says so.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

UNKNOWN = "<unknown>"


@dataclass(slots=True, eq=False)
class Activation:
    """One call under way."""

    number: int
    key: Any
    """The engine's function."""
    depth: int
    shown: bool
    suspends: bool
    caller: Any = None
    """Where it was called from: two calls at one depth are told apart by it."""
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    before: dict[str, str] | None = None
    """The receiver's attributes at the beginning."""
    thrown: bool = False
    """Something was thrown within it, and nothing has been seen of it since."""


class Asked(msgspec.Struct):
    """What `dapwright/trace` asks of every engine, beside the functions; `flush`: tell at once what is known."""

    most: int = 2000
    depth: int = 0
    only: int = 0
    flush: bool = False


class Recorder:
    """The stacks of calls, and the events that are to be told (core/calls.py)."""

    def __init__(self, *, most: int = 2000, depth: int = 0, only: int = 0) -> None:
        self.most, self.depth, self.only = most, depth, only
        self.stacks: dict[Any, list[Activation]] = {}
        self.asleep: dict[Any, list[Activation]] = {}
        self.errors: dict[Any, str] = {}
        self.fatal: set[Any] = set()
        self.seen = self.kept = self.dropped = 0
        self.found = False
        """The one call that was asked for (`only`) is over."""
        self.events: list[list[Any]] = []

    @property
    def full(self) -> bool:
        """There is no room for more events, or the one call asked for is over: nothing needs to be looked at."""
        return self.kept >= self.most or self.found

    @property
    def early(self) -> bool:
        """The one call that is asked for has not begun: until then calls are counted alone."""
        return self.seen < self.only

    @property
    def left_out(self) -> int:
        """How many events are known not to have been kept; -1 where nobody looked any more."""
        return -1 if self.kept >= self.most else self.dropped

    def told(self) -> dict[str, Any]:
        """The body of the next `dapwrightCalls` event: what was seen since the last."""
        return {"events": self.take(), "calls": self.seen, "dropped": self.left_out}

    def stack(self, thread: Any) -> list[Activation]:
        """The calls under way of a thread, outermost first."""
        return self.stacks.setdefault(thread, [])

    def begin(self, thread: Any, key: Any, depth: int, *, suspends: bool = False, caller: Any = None) -> Activation:
        """A function begins; `began` is to be told of it where it is `shown`."""
        self.unwind(thread, depth - 1)
        stack = self.stack(thread)
        self.seen += 1
        under = not self.only or self.seen == self.only or any(each.number == self.only for each in stack)
        shown = under and (not self.depth or len(stack) < self.depth)
        call = Activation(self.seen, key, depth, shown, suspends, caller)
        stack.append(call)
        return call

    def began(self, thread: Any, call: Activation, name: str, file: str, line: int, more: dict[str, str]) -> None:
        """Tell a call with its arguments, once they are known; `more` names the thread and the receiver."""
        stack = self.stack(thread)
        at = stack.index(call)
        parent = stack[at - 1].number if at else 0
        self._tell(["call", call.number, parent, name, file, line, call.arguments, more])

    def find(self, thread: Any, key: Any, depth: int, arguments: dict[str, str] | None = None) -> Activation | None:
        """The call that returns now: what is deeper has ended, and one that was suspended is under way again."""
        self.unwind(thread, depth)
        stack = self.stack(thread)
        if stack and stack[-1].depth == depth and stack[-1].key == key:
            return stack[-1]
        sleeping = [each for each in self.asleep.get(thread, ()) if each.key == key]
        if len(sleeping) > 1 and arguments is not None:
            sleeping = [each for each in sleeping if each.arguments == arguments] or sleeping
        return sleeping[0] if len(sleeping) == 1 else None

    def end(self, thread: Any, call: Activation, kind: str, value: str, changed: dict[str, list[str | None]]) -> None:
        """A call is over."""
        stack = self.stack(thread)
        if call in stack:
            del stack[stack.index(call) :]
        elif call in self.asleep.get(thread, ()):
            self.asleep[thread].remove(call)
        if call.shown:
            self._tell([kind, call.number, value, changed])
        self.found |= call.number == self.only

    def throw(self, thread: Any, error: str, *, fatal: bool) -> None:
        """Something is thrown: whoever is gone at the next event was ended by it; `fatal` where nothing catches it."""
        self.errors[thread] = error
        self.fatal.discard(thread)
        if fatal:
            self.fatal.add(thread)
        for call in self.stack(thread):
            call.thrown = True

    def catch(self, thread: Any, depth: int) -> None:
        """It is known where what was thrown is caught: whoever stands deeper is over."""
        self.unwind(thread, depth)
        for call in self.stack(thread):
            call.thrown = False

    def unwind(self, thread: Any, depth: int) -> None:
        """What stands deeper than `depth` is there no more."""
        stack = self.stack(thread)
        while stack and stack[-1].depth > depth:
            self._gone(thread, stack.pop())

    def _gone(self, thread: Any, call: Activation) -> None:
        if call.suspends:
            self.asleep.setdefault(thread, []).append(call)
            if not call.thrown:
                return
        self.found |= call.number == self.only
        if call.shown and call.thrown:
            self._tell(["raise", call.number, self.errors.get(thread, UNKNOWN), {}])
        elif call.shown:  # nothing was thrown, and its return was not seen
            self._tell(["return", call.number, UNKNOWN, {}])

    def finish(self, thread: Any) -> None:
        """A thread has ended: of what was under way, that which threw is told as that."""
        for call in reversed(self.stack(thread)):
            if call.thrown and call.shown and thread in self.fatal:
                self._tell(["raise", call.number, self.errors.get(thread, UNKNOWN), {}])
        self.stack(thread).clear()

    def take(self) -> list[list[Any]]:
        """The events since the last time."""
        taken, self.events = self.events, []
        return taken

    def _tell(self, event: list[Any]) -> None:
        if self.kept >= self.most:
            self.dropped += 1
            return
        self.kept += 1
        self.events.append(event)


def changes(before: dict[str, str] | None, after: dict[str, str] | None) -> dict[str, list[str | None]]:
    """What a call changed of its receiver: `{name: [before, after]}`."""
    if before is None or after is None:
        return {}
    return {name: [before.get(name), text] for name, text in after.items() if before.get(name) != text}
