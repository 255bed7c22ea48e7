"""Who is told what becomes of the sessions: streams of updates, and mirrors that show one to a person."""

from collections.abc import Callable
from typing import Literal

from dapwright.watched import Mirrors

Change = Literal["sessions", "output", "audit"]
Watcher = Callable[[Change, str], None]
"""Told what changed (server/host.py), and the session's id."""


class Watchers:
    """Those who watch now."""

    def __init__(self) -> None:
        self._all: list[Watcher] = []
        self.mirrors = Mirrors()
        """The sessions that a person may watch now, by id."""

    def add(self, watcher: Watcher) -> Callable[[], None]:
        """Have every change told, until the function that is returned is called."""
        self._all.append(watcher)
        return lambda: self._all.remove(watcher) if watcher in self._all else None

    def tell(self, identity: str, what: Change | Literal["state"], *, known: bool) -> None:
        """Tell of a change; a mirror that has nothing left to show goes."""
        if what != "output":
            self.mirrors.changed(identity, known=known)
        if what == "state":
            return  # a watcher hears of it by the audit trail, where it is a stop or an end
        for watcher in list(self._all):
            watcher(what, identity)
