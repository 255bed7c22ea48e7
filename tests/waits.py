"""Bounded waits: the only place where a test waits for something that sends no event."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
BOUND = 5.0
"""Seconds that a wait may take where a test says nothing else."""
PAUSE = 0.01
"""Seconds between two looks."""


async def within(awaitable: Awaitable[T], seconds: float = BOUND) -> T:
    """Return what `awaitable` gives; fail the test when it takes longer than `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            return await awaitable
    except TimeoutError:
        raise AssertionError(f"{awaitable!r} took longer than {seconds} s") from None


async def until(check: Callable[[], T], seconds: float = BOUND) -> T:
    """Look again and again until `check` gives something true; return it, or fail after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := check()):
        assert time.monotonic() < end, f"{check!r} was still {value!r} after {seconds} s"
        await asyncio.sleep(PAUSE)
    return value


def until_blocking(check: Callable[[], T], seconds: float = BOUND) -> T:
    """Do what `until` does, in a test without an event loop."""
    end = time.monotonic() + seconds
    while not (value := check()):
        assert time.monotonic() < end, f"{check!r} was still {value!r} after {seconds} s"
        time.sleep(PAUSE)
    return value
