"""Who is told what becomes of the sessions: streams of updates, and mirrors that show one to a person."""

from collections.abc import Callable
from typing import Literal, Protocol

Change = Literal["sessions", "output", "audit"]
Watcher = Callable[[Change, str], None]
"""Told what changed (server/host.py), and the session's id."""


class Mirror(Protocol):
    """What shows a session to a person (mirror/)."""

    port: int
    token: str
    closed: bool

    def changed(self, identity: str, *, known: bool) -> None:
        """Take a change; it closes itself when there is nothing left to show."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


class Watchers:
    """Those who watch now."""

    def __init__(self) -> None:
        self._all: list[Watcher] = []
        self.mirrors: dict[str, Mirror] = {}
        """The sessions that a person may watch now, by id."""

    def add(self, watcher: Watcher) -> Callable[[], None]:
        """Have every change told, until the function that is returned is called."""
        self._all.append(watcher)
        return lambda: self._all.remove(watcher) if watcher in self._all else None

    def tell(self, identity: str, what: Change, *, known: bool) -> None:
        """Tell of a change; a mirror that has nothing left to show goes."""
        if (mirror := self.mirrors.get(identity)) is not None and what != "output":
            mirror.changed(identity, known=known)
            if mirror.closed:
                del self.mirrors[identity]
        for watcher in list(self._all):
            watcher(what, identity)
