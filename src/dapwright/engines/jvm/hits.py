"""Hit conditions: `3` is the third hit alone, `>=3`, `>3`, `==3`, `<3`, `<=3`, `%3`."""

import re

from msgspec import Struct

from dapwright.core.errors import UsageError

SHAPE = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*")


class HitCondition(Struct, frozen=True):
    """Which hits of a breakpoint count."""

    operator: str
    number: int

    def holds(self, hits: int) -> bool:
        """Tell whether the `hits`-th hit counts."""
        match self.operator:
            case ">=":
                return hits >= self.number
            case ">":
                return hits > self.number
            case "<=":
                return hits <= self.number
            case "<":
                return hits < self.number
            case "%":
                return hits % self.number == 0
        return hits == self.number

    @property
    def first(self) -> int:
        """The first hit that counts: the JVM itself can count up to it, which costs nothing a hit."""
        if self.operator in ("<", "<="):
            return 1
        return self.number + 1 if self.operator == ">" else self.number

    @property
    def next(self) -> int | None:
        """How many hits after one that counts the next may; None where there is none."""
        return None if self.operator in ("", "==") else self.number if self.operator == "%" else 1


def read_hits(words: str) -> HitCondition:
    """Read a hit condition.

    Raises:
        UsageError: it is none, or its number is 0.
    """
    shape = SHAPE.fullmatch(words)
    if shape is None or int(shape[2]) < 1:
        raise UsageError(f"`{words}` is not a hit condition", "write `3`, `==3`, `>3`, `>=3`, `<3`, `<=3` or `%3`")
    return HitCondition(shape[1] or "", int(shape[2]))
