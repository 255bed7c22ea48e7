"""The call that is served now: by when it has to answer, and how its client is told that it is at work."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar

from msgspec import Struct

SPARE = 0.12
"""The part of a call's time that is left for the answer, once a wait has used up the rest."""


class Served(Struct, frozen=True):
    """One call: `until` is the loop's time (seconds) by which its waits are over, `tell` reports progress."""

    until: float
    tell: Callable[[str], None]


SERVED: ContextVar[Served | None] = ContextVar("served", default=None)
"""None for what goes on beside calls: a session's own tasks are bounded by themselves."""


def serve(deadline: float, tell: Callable[[str], None]) -> None:
    """Have the waits of the call that runs now end before `deadline`, the loop's time."""
    now = asyncio.get_running_loop().time()
    SERVED.set(Served(now + (deadline - now) * (1 - SPARE), tell))


def until() -> float:
    """The loop's time by which a wait has to be over; infinity where no call waits."""
    served = SERVED.get()
    return served.until if served is not None else float("inf")


def left(most: float) -> float:
    """How long a wait of `most` seconds may last here."""
    return max(min(most, until() - asyncio.get_running_loop().time()), 0.0)


def tell(message: str) -> None:
    """Report what is going on to whoever made this call."""
    if (served := SERVED.get()) is not None:
        served.tell(message)
