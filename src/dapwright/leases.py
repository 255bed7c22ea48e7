"""What a client that has gone leaves behind waits for it, and then ends; whoever asks for it is told."""

import asyncio
from collections.abc import Awaitable, Callable

KEPT = 200
"""How many ended sessions are remembered, so that a long-lived server does not grow."""


class Leases:
    """Those who have gone, each with the time that is left to come back, and what ended without them.

    A holder is a client, or a session that has none.
    """

    def __init__(self, expired: Callable[[str, str], Awaitable[None]]) -> None:
        self._expired = expired
        self._running: dict[str, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Future[None]] = set()
        self._lost: dict[str, tuple[str, str]] = {}

    def begin(self, holder: str, seconds: float, why: str) -> None:
        """The holder has gone: `expired` is called with it and `why` after that time, unless it comes back."""
        self.end(holder)
        self._running[holder] = asyncio.get_running_loop().call_later(seconds, self._expire, holder, why)

    def end(self, holder: str) -> None:
        """The holder is there (again)."""
        if (lease := self._running.pop(holder, None)) is not None:
            lease.cancel()

    def end_all(self) -> None:
        """Nobody is waited for any longer."""
        for holder in list(self._running):
            self.end(holder)

    def _expire(self, holder: str, why: str) -> None:
        del self._running[holder]
        ending = asyncio.ensure_future(self._expired(holder, why))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    def lose(self, session: str, client: str, said: str) -> None:
        """Remember what became of a session, for the next who asks."""
        self._lost[session] = (client, said)
        for old in list(self._lost)[:-KEPT]:
            del self._lost[old]

    def lost(self, session: str) -> str:
        """What became of a session, "" where it was not lost so."""
        return self._lost.get(session, ("", ""))[1]

    def lost_of(self, client: str) -> str:
        """What became of all sessions that a client has lost, "" where there are none."""
        return "; ".join(said for owner, said in self._lost.values() if owner == client)
