"""Tasks with an owner: none outlives it, and a failure is told instead of lost."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Tasks:
    """The tasks of one owner. An exception in one is told to `on_failure`, and stops there."""

    def __init__(self, on_failure: Callable[[BaseException], None]) -> None:
        self._on_failure = on_failure
        self._all: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run `work` beside the caller."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._all.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._all.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            self._on_failure(failure)

    async def close(self) -> None:
        """Cancel what still runs, and wait until it has gone (not for the caller's own task)."""
        mine = asyncio.current_task()
        left = [task for task in self._all if task is not mine]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=5)
