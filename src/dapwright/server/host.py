"""What a server asks of the sessions that it serves."""

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

Change = Literal["sessions", "output", "audit"]
"""What changed: the list of sessions, or what one of them printed or was asked."""
Watcher = Callable[[Change, str], None]
"""Called on the loop with what changed and the session's id; it must not fail."""


class SessionsHost(Protocol):
    """The sessions, as resources and as something to close."""

    def titles(self) -> Mapping[str, str]:
        """The sessions that can be read, by id, each with a title for people."""
        ...

    def output_text(self, session_id: str) -> str:
        """All that is kept of what a session's program printed.

        Raises:
            NoSuchSession: no session has that id.
        """
        ...

    def audit_text(self, session_id: str) -> str:
        """Every call that named the session, and every stop, as JSON lines.

        Raises:
            NoSuchSession: no session has that id.
        """
        ...

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher` at every change until the function that is returned is called."""
        ...

    def arrive(self, client: str) -> None:
        """A client of a router is there: what it has stays."""
        ...

    def leave(self, client: str, *, goodbye: bool = False) -> None:
        """A client of a router has gone: what it has ends after a while, unless it comes back."""
        ...

    async def close(self) -> None:
        """End what was launched, release what was attached to."""
        ...
