"""The door of the HTTP server: who may come in, before any of it is read. Plain ASGI; every refusal is JSON-RPC.

A page in the user's browser must not get in: its `Origin` is foreign, and a name that its
author points at this machine is no `Host` of ours. Everybody else on this machine must
not get in either: they lack the token.
"""

import asyncio
import hmac
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any, Literal

from dapwright.server.protocol import INVALID_REQUEST, error_of

PATH = "/mcp"
LARGEST_BODY = 4 * 1024 * 1024
MOST_ENDED = 1000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

Presence = Literal["here", "left", "over"]
Told = Callable[[str, Presence], None]
"""Told the MCP session that came (`here`: its first open request), went (`left`: none is open), or is `over`."""


class Guard:
    """Lets requests through to `app` that carry the token, name us as `Host`, and come from no foreign page.

    `presence` counts the requests of each MCP session that are open now; `tell` hears of its changes.
    """

    def __init__(
        self, app: App, *, token: str, hosts: Sequence[str], origins: Sequence[str], tell: Told = lambda *_: None
    ) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)
        self._tell = tell
        self.presence: Counter[str] = Counter()
        self._over: dict[str, bool] = {}
        """The MCP sessions that their clients have ended, and whether that was told: no request brings one back."""
        self._calls = 0
        self.idle = asyncio.Event()
        """Set while no call is being answered; streams that only listen do not count."""
        self.idle.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refuse(send, *refusal)
            return
        session = "".join(_values(scope, b"mcp-session-id"))
        calls = scope["method"] == "POST"
        self._count(session, 1, calls)
        try:
            await self._app(scope, receive, self._hearing(session, send) if scope["method"] == "DELETE" else send)
        finally:
            self._count(session, -1, calls)

    def _hearing(self, session: str, send: Send) -> Send:
        """The sender of an answer to `DELETE`: success means that the client has said goodbye."""

        async def heard(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] < 300:
                self._over[session] = False
                for old in list(self._over)[:-MOST_ENDED]:
                    del self._over[old]
            await send(message)

        return heard

    def _count(self, session: str, change: int, calls: bool) -> None:
        self.presence[session] += change
        first, last = change > 0 and self.presence[session] == 1, not self.presence[session]
        if last:
            del self.presence[session]
        if session and (first or last):
            self._note(session, first)
        self._calls += change if calls else 0
        (self.idle.clear if self._calls else self.idle.set)()

    def _note(self, session: str, first: bool) -> None:
        told = self._over.get(session)
        if told is None:
            self._tell(session, "here" if first else "left")
        elif not told and not first:
            self._over[session] = True
            self._tell(session, "over")

    def present(self, besides: str) -> list[str]:
        """The MCP sessions with a request open now, other than one."""
        return [session for session in self.presence if session and session != besides]

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not hosts[0]:
            return 400, "a request has one `Host`"
        if hosts[0].lower() not in self._hosts:
            return 421, f"`{hosts[0][:80]}` is no name of this server"
        origins = _values(scope, b"origin")
        if any(origin.lower() not in self._origins for origin in origins):
            return 403, "requests of web pages are not served"
        if scope["path"] != PATH:
            return 404, f"the only path is `{PATH}`"
        if not self._let_in(_values(scope, b"authorization")):
            return 401, "the bearer token is missing or wrong; it stands in the file named by `--token-file`"
        return self._bad_body(scope)

    def _let_in(self, given: list[str]) -> bool:
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), self._token)

    def _bad_body(self, scope: Scope) -> tuple[int, str] | None:
        if scope["method"] != "POST":
            return None
        kind = "".join(_values(scope, b"content-type")).partition(";")[0].strip().lower()
        if kind != "application/json":
            return 415, "the body is `application/json`"
        length = "".join(_values(scope, b"content-length"))
        if length.isdigit() and int(length) > LARGEST_BODY:
            return 413, f"a body has {LARGEST_BODY} bytes at most"
        return None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


async def refuse(send: Send, status: int, message: str) -> None:
    """Answer a request with a JSON-RPC error."""
    body = json.dumps(error_of(None, INVALID_REQUEST, message)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status in (400, 413, 415):
        headers.append((b"connection", b"close"))  # what is left of the body is not read
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def names(hosts: Iterable[str], port: int, *, tls: bool) -> tuple[list[str], list[str]]:
    """The `Host` and `Origin` values of a server with these names; the usual port may be left out."""
    scheme, usual = ("https", 443) if tls else ("http", 80)
    found = []
    for host in hosts:
        found += [f"{host.lower()}:{port}"] + ([host.lower()] if port == usual else [])
    return found, [f"{scheme}://{name}" for name in found]
