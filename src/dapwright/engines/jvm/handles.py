"""Numbers that a client holds for frames, scopes and objects, until what they show runs again."""

import itertools
from typing import Generic, TypeVar

from msgspec import Struct

from dapwright.core.errors import StaleHandle
from dapwright.engines.jvm.packets import Value

T = TypeVar("T")


class FrameHandle(Struct, frozen=True):
    """A frame by its depth, 0 innermost: the JVM's own ids die at every call."""

    thread: int
    depth: int


class ScopeHandle(Struct, frozen=True):
    """The locals of a frame, or the static fields of its class."""

    frame: FrameHandle
    static: bool


class ObjectHandle(Struct, frozen=True):
    """An object seen at a stop of `thread`; `path` is an expression for it, where there is one."""

    thread: int
    value: Value
    path: str = ""


class Handles(Generic[T]):
    """Values by number; a number is never given twice."""

    def __init__(self, counter: "itertools.count[int]", what: str) -> None:
        self._counter = counter
        self._what = what
        self._kept: dict[int, tuple[int, T]] = {}
        self._numbers: dict[tuple[int, T], int] = {}

    def give(self, thread: int, value: T) -> int:
        """The number of `value`, which lives while `thread` stands."""
        key = (thread, value)
        if key not in self._numbers:
            self._numbers[key] = next(self._counter)
            self._kept[self._numbers[key]] = key
        return self._numbers[key]

    def take(self, number: int) -> T:
        """Raises StaleHandle: nothing has that number any more."""
        if number not in self._kept:
            raise StaleHandle(
                f"{self._what} {number} is not of the present stop", "ask for the stack trace again and use its ids"
            )
        return self._kept[number][1]

    def get(self, number: int) -> T | None:
        return self._kept[number][1] if number in self._kept else None

    def drop(self, thread: int | None = None) -> None:
        """Forget what belongs to a thread that runs again; to all, if none is named."""
        for number, key in list(self._kept.items()):
            if thread is None or key[0] == thread:
                del self._kept[number], self._numbers[key]
