"""Waiting for a person: a call waits 45 s at most, the person may take longer.

The question stays open. Its answer serves the next call that asks the same; after ten
minutes it is withdrawn.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from dapwright.core.errors import ApprovalPending

ASK_SECONDS = 45.0
KEPT_SECONDS = 600.0


class Patience:
    """The questions that are open, by what they ask."""

    def __init__(self, seconds: float = ASK_SECONDS) -> None:
        self._seconds = seconds
        self._open: dict[str, asyncio.Task[Any]] = {}

    async def answer(self, key: str, ask: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """The answer to the question `key`: of the one that is open, else of a new one made by `ask`.

        Raises:
            ApprovalPending: there is none yet.
        """
        task = self._open.get(key)
        if task is None:
            task = self._open[key] = asyncio.get_running_loop().create_task(ask())
        await asyncio.wait([task], timeout=self._seconds)
        if not task.done():
            asyncio.get_running_loop().call_later(KEPT_SECONDS, self._withdraw, key, task)
            raise ApprovalPending(
                "the person was asked and has not answered yet; nothing was started",
                "call again with the same arguments: the answer is kept for ten minutes",
            )
        self._open.pop(key, None)
        return task.result()

    def _withdraw(self, key: str, task: "asyncio.Task[Any]") -> None:
        if self._open.get(key) is task:
            del self._open[key]
            task.cancel()
