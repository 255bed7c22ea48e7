"""The sessions that a person watches now: their mirrors, told of every change until they are closed."""

from typing import Protocol


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


class Mirrors:
    """The open mirrors, by session."""

    def __init__(self) -> None:
        self._all: dict[str, Mirror] = {}

    def keep(self, identity: str, mirror: Mirror) -> None:
        """Have a mirror told of its session."""
        self._all[identity] = mirror

    def find(self, identity: str) -> Mirror | None:
        """A session's mirror, while it is open."""
        mirror = self._all.get(identity)
        return mirror if mirror is not None and not mirror.closed else None

    def changed(self, identity: str, *, known: bool) -> None:
        """Tell a session's mirror of a change; `known` says whether the session still exists."""
        if (mirror := self._all.get(identity)) is None:
            return
        mirror.changed(identity, known=known)
        if mirror.closed:
            del self._all[identity]
