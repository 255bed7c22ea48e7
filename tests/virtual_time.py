"""An event loop whose clock jumps: a wait of 45 seconds passes at once when nothing else can happen before.

The product's own limits are tested as they are, and nothing sleeps. Only for what needs no thread
and no process: a loop that waits for the outside would jump over it.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
MOST_SECONDS = 10_000.0
"""A test that needs more has lost its way."""


class _Selector(selectors.SelectSelector):
    """Looks at the descriptors without waiting; the time that it should have waited is added to the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("the loop would wait for ever: nothing is scheduled")
            self.skipped += max(timeout, 0)
            if self.skipped > MOST_SECONDS:
                raise RuntimeError(f"the loop waited for more than {MOST_SECONDS:.0f} seconds")
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose `time` is virtual."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)
        self._clock_resolution = 1e-9

    def time(self) -> float:
        return self._virtual.skipped

    def stall(self, seconds: float) -> None:
        """Act as if a step of the loop had taken so long."""
        self._virtual.skipped += seconds


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in virtual time; fails when it leaves a task behind."""
    loop = VirtualLoop()
    failures: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: failures.append(context))
    try:
        asyncio.set_event_loop(loop)
        told = loop.run_until_complete(work)
        left = asyncio.all_tasks(loop)
        assert not left, f"tasks are left: {left}"
        assert not failures, f"the loop was told of failures: {failures}"
        return told
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        asyncio.set_event_loop(None)
        loop.close()
