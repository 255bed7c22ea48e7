"""Hit conditions: one meaning in every language."""

import re

from msgspec import Struct

from dapwright.core.errors import UsageError

_SHAPE = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*\Z")


class HitCondition(Struct, frozen=True):
    """`3` and `==3` are the third hit alone; `%3` each third one."""

    operator: str
    count: int

    def holds(self, hit: int) -> bool:
        """Tell whether the `hit`th arrival (from 1) stops."""
        match self.operator:
            case "==":
                return hit == self.count
            case ">":
                return hit > self.count
            case ">=":
                return hit >= self.count
            case "<":
                return hit < self.count
            case "<=":
                return hit <= self.count
            case _:
                return hit % self.count == 0


def parse(text: str) -> HitCondition:
    """Read a hit condition.

    Raises:
        UsageError: it is none of `N`, `==N`, `>N`, `>=N`, `<N`, `<=N`, `%N` with N at least 1.
    """
    found = _SHAPE.match(text)
    if found is None or int(found[2]) < 1:
        raise UsageError(
            f"`{text}` is no hit condition",
            "pass `N` (the Nth hit alone), `>=N`, `>N`, `<N`, `<=N` or `%N`, with N at least 1",
        )
    return HitCondition(found[1] or "==", int(found[2]))
