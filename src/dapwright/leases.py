"""What a client that has gone leaves behind waits for it, and then ends."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable


class Leases:
    """The clients that have gone, each with the time that is left to come back."""

    def __init__(self, expired: Callable[[str, float], Awaitable[None]]) -> None:
        self._expired = expired
        self._running: dict[str, asyncio.Task[None]] = {}

    def begin(self, client: str, seconds: float) -> None:
        """The client has gone: `expired` is called for it after that time, unless it comes back."""
        self.end(client)
        self._running[client] = asyncio.get_running_loop().create_task(self._wait(client, seconds), name="lease")

    def end(self, client: str) -> None:
        """The client is there (again)."""
        if (lease := self._running.pop(client, None)) is not None:
            lease.cancel()

    def end_all(self) -> None:
        """Nobody is waited for any longer."""
        for client in list(self._running):
            self.end(client)

    async def _wait(self, client: str, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), seconds)
        await self._expired(client, seconds)
        self._running.pop(client, None)
