"""Telling a client that a call is still at work: what it is at, and every 5 s that it goes on."""

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from dapwright.server.protocol import notification
from dapwright.tools.plain import clean

EVERY_SECONDS = 5.0


class Progress:
    """The notifications of one call, for as long as the `with` lasts; none without a token."""

    def __init__(self, token: Any, mention: Callable[[Mapping[str, Any]], None]) -> None:
        valid = isinstance(token, (str, int, float)) and not isinstance(token, bool)
        self._token = token if valid else None
        self._mention = mention
        self._count = 0
        self._last = "waiting"
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> "Progress":
        self._wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def tell(self, message: str) -> None:
        """Say what the call is at now."""
        self._last = clean(message)
        self._send(self._last)

    def _send(self, message: str) -> None:
        if self._token is None:
            return
        self._count += 1
        params = {"progressToken": self._token, "progress": self._count, "message": message}
        self._mention(notification("notifications/progress", params))

    def _wait(self) -> None:
        if self._token is not None:
            self._timer = asyncio.get_running_loop().call_later(EVERY_SECONDS, self._tick)

    def _tick(self) -> None:
        self._send(self._last)
        self._wait()
