"""Questions to a person on a relayed call: the workspace asks by a retry, a client of the handshake era is asked.

A person may take minutes, a call may not: at 45 s it answers that the approval is pending,
the question stays open, and its answer serves the same call when it is made again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from dapwright.core.errors import ApprovalPending

ASK_SECONDS = 45.0
KEPT_SECONDS = 600.0

Carry = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]
AskClient = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


class Questions:
    """The questions that are open, and the late answers, by what was asked."""

    def __init__(self) -> None:
        self._open: dict[str, asyncio.Task[Any]] = {}

    async def carry(self, send: Carry, params: Mapping[str, Any], ask: AskClient | None) -> dict[str, Any]:
        """Send a call, put its questions to the client, and send it again with the answers, to its end.

        Raises:
            ApprovalPending: the person has not answered within 45 s.
        """
        result = await send(params)
        while ask is not None and result.get("resultType") == "input_required":
            answers = {
                key: await self._answer(key, asked, ask) for key, asked in result.get("inputRequests", {}).items()
            }
            result = await send({**params, "inputResponses": answers, "requestState": result.get("requestState")})
        return result

    async def _answer(self, key: str, asked: Mapping[str, Any], ask: AskClient) -> Any:
        task = self._open.get(key)
        if task is None:
            task = self._open[key] = asyncio.ensure_future(ask(str(asked.get("method")), asked.get("params") or {}))
        done, _ = await asyncio.wait([task], timeout=ASK_SECONDS)
        if not done:
            asyncio.get_running_loop().call_later(KEPT_SECONDS, self._forget, key, task)
            raise ApprovalPending(
                "the person has not answered yet; nothing was started", "call again with the same arguments"
            )
        self._open.pop(key, None)
        if task.cancelled() or task.exception() is not None:
            return {"action": "cancel"}
        return task.result() or {"action": "cancel"}

    def _forget(self, key: str, task: asyncio.Task[Any]) -> None:
        if self._open.get(key) is task:
            del self._open[key]
            task.cancel()
