"""Who is told of which change: subscriptions of both eras, gathered for a moment before they are sent."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from dapwright.server.host import Change
from dapwright.server.protocol import INVALID_PARAMS, SUBSCRIPTION_KEY, Id, Refused, notification
from dapwright.server.resources import uri_of

GATHER_SECONDS = 0.15
LIST_CHANGED = "notifications/resources/list_changed"
UPDATED = "notifications/resources/updated"


class Updates:
    """The subscriptions of one client. `mention` sends a notification."""

    def __init__(self, mention: Callable[[Mapping[str, Any]], None]) -> None:
        self._mention = mention
        self.handshaken = False
        """Whether the client did `initialize`: only then it hears of the list unasked."""
        self._subscribed: set[str] = set()
        self._streams: dict[Id, dict[str, Any]] = {}
        self._dirty: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def subscribe(self, uri: str) -> None:
        """Tell the client of each change of a resource (the handshake era)."""
        self._subscribed.add(uri)

    def unsubscribe(self, uri: str) -> None:
        """Stop telling; one that was never subscribed is fine."""
        self._subscribed.discard(uri)

    def open_stream(self, id: Id, asked: Any) -> None:
        """Begin a `subscriptions/listen` (the stateless era), acknowledging what will be told.

        Raises:
            Refused: `asked` is no filter.
        """
        if not isinstance(asked, dict):
            raise Refused(INVALID_PARAMS, "`notifications` is an object")
        uris = asked.get("resourceSubscriptions")
        if uris is not None and not (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris)):
            raise Refused(INVALID_PARAMS, "`resourceSubscriptions` is a list of URIs")
        agreed: dict[str, Any] = {}
        if asked.get("resourcesListChanged") is True:
            agreed["resourcesListChanged"] = True
        if uris:
            agreed["resourceSubscriptions"] = uris
        self._streams[id] = agreed
        params = {"notifications": agreed, "_meta": {SUBSCRIPTION_KEY: id}}
        self._mention(notification("notifications/subscriptions/acknowledged", params))

    def close_stream(self, id: Id) -> None:
        """End a stream."""
        self._streams.pop(id, None)

    def note(self, change: Change, session_id: str) -> None:
        """Take a change; it is told within 150 ms, together with the others of that time."""
        what = LIST_CHANGED if change == "sessions" else uri_of(session_id, change)
        if not self._wanted(what):
            return
        self._dirty[what] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._send)

    def _wanted(self, what: str) -> bool:
        if what == LIST_CHANGED:
            return self.handshaken or any("resourcesListChanged" in one for one in self._streams.values())
        return what in self._subscribed or any(
            what in one.get("resourceSubscriptions", ()) for one in self._streams.values()
        )

    def _send(self) -> None:
        self._timer, dirty, self._dirty = None, self._dirty, {}
        for what in dirty:
            method = LIST_CHANGED if what == LIST_CHANGED else UPDATED
            params = {} if what == LIST_CHANGED else {"uri": what}
            if self.handshaken if what == LIST_CHANGED else what in self._subscribed:
                self._mention(notification(method, params or None))
            for id, agreed in self._streams.items():
                asked = agreed.get("resourcesListChanged") if what == LIST_CHANGED else None
                if asked or what in agreed.get("resourceSubscriptions", ()):
                    self._mention(notification(method, {**params, "_meta": {SUBSCRIPTION_KEY: id}}))
