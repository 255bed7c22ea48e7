"""Numbers that stand for something of a stop: frames, scopes, objects. None is ever used twice."""

import itertools
from typing import Generic, TypeVar

from dapwright.core.errors import StaleHandle

T = TypeVar("T")


class Handles(Generic[T]):
    """A table that a target empties when it moves on."""

    _ids = itertools.count(1)

    def __init__(self, what: str) -> None:
        self._what = what
        self._kept: dict[int, T] = {}

    def add(self, thing: T) -> int:
        """Keep a thing; return its number."""
        number = next(self._ids)
        self._kept[number] = thing
        return number

    def get(self, number: int) -> T:
        """Return what a number stands for.

        Raises:
            StaleHandle: the program has moved on since, or the number was never given out.
        """
        try:
            return self._kept[number]
        except KeyError:
            raise StaleHandle(f"{self._what} {number} belongs to an earlier stop", "ask for the stack again") from None

    def __contains__(self, number: int) -> bool:
        return number in self._kept

    def clear(self) -> None:
        """Forget everything: the program moves on."""
        self._kept.clear()
