"""Questions to a person on a relayed call: the workspace asks by a retry, a client of the handshake era is asked."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from dapwright.patience import Patience

Carry = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]
AskClient = Callable[[str, Mapping[str, Any]], Coroutine[Any, Any, Any]]


class Questions:
    """Carries calls through their questions to their answers."""

    def __init__(self) -> None:
        self._patience = Patience()

    async def carry(self, send: Carry, params: Mapping[str, Any], ask: AskClient | None) -> dict[str, Any]:
        """Send a call, put its questions to the client, and send it again with the answers, to its end.

        Raises:
            ApprovalPending: the person has not answered in time.
        """
        result = await send(params)
        while ask is not None and result.get("resultType") == "input_required":
            answers = {
                key: await self._answer(key, asked, ask) for key, asked in result.get("inputRequests", {}).items()
            }
            result = await send({**params, "inputResponses": answers, "requestState": result.get("requestState")})
        return result

    async def _answer(self, key: str, asked: Mapping[str, Any], ask: AskClient) -> Any:
        async def put() -> Any:
            try:
                return await ask(str(asked.get("method")), asked.get("params") or {})
            except Exception:  # the client went away, or answered with an error: nobody said yes
                return {"action": "cancel"}

        return await self._patience.answer(key, put)
