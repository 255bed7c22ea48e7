"""Several workspaces behind one port: each call goes to the workspace that it names.

The router knows no sessions. It reads the registry, keeps one connection to each open
workspace (its own included), and relays: requests in the stateless form, which carry all
that they need; their progress, cancellation and questions; the resources of all together.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from dapwright.core.errors import DapwrightError
from dapwright.policy import routing
from dapwright.policy.routing import Workspace
from dapwright.server import protocol, resources
from dapwright.server.guard import Presence
from dapwright.server.host import Watcher
from dapwright.server.protocol import CAPABILITIES_KEY, CLIENT_KEY, PRESENT_KEY, VERSION_KEY, Refused
from dapwright.server.questions import AskClient, Questions
from dapwright.server.registry import Entry, Registry
from dapwright.server.relay import Gone, Link, Note
from dapwright.tools.text import render_failure

LIST, ANYWHERE = "list_debug_sessions", frozenset({"list_supported_languages"})
LISTED = "notifications/resources/list_changed"


class Router:
    """The relay behind the public port."""

    def __init__(self, registry: Registry, own: str) -> None:
        self._registry = registry
        self._own = own
        self._links: dict[str, Link] = {}
        self._opening = asyncio.Lock()
        self._watchers: list[Watcher] = []
        self._subscribed: set[str] = set()
        self.questions = Questions()
        self.ending = asyncio.Event()
        """Set when this router goes: whoever waits is told to call again."""

    # --- the workspaces

    async def links(self) -> list[Link]:
        """A connection to each open workspace, our own first."""
        entries = await asyncio.to_thread(self._registry.entries)
        async with self._opening:
            for address in [a for a, link in self._links.items() if link.closed.is_set()]:
                del self._links[address]
            for entry in entries:
                if entry.control not in self._links:
                    await self._open(entry)
        return sorted(self._links.values(), key=lambda link: (link.entry.control != self._own, link.entry.folder))

    async def _open(self, entry: Entry) -> None:
        link = Link(entry, self._heard)
        try:
            self._links[entry.control] = await link.open()
            for uri in self._subscribed:
                if _of(link, uri):
                    await link.ask("resources/subscribe", {"uri": uri})
        except (Gone, Refused):
            await link.close()

    async def close(self) -> None:
        """Hang up on every workspace."""
        for link in self._links.values():
            await link.close()

    def tell_presence(self, client: str, what: Presence) -> None:
        """Tell every workspace that a client came or went; in the order of its calls, hence at once."""
        for link in self._links.values():
            link.tell(protocol.PRESENCE, {"client": client, "what": what})

    # --- tools

    async def call(
        self,
        params: Mapping[str, Any],
        *,
        client: str,
        present: list[str],
        capabilities: Mapping[str, Any],
        hear: Note,
        ask: AskClient | None,
    ) -> dict[str, Any]:
        """Relay one `tools/call`; `ask` puts a question to a client of the handshake era, None leaves it to retry.

        Raises:
            Refused: the workspace answered with an error.
        """
        meta = {**_mapping(params.get("_meta")), VERSION_KEY: protocol.STATELESS[-1], CAPABILITIES_KEY: capabilities}
        meta |= {CLIENT_KEY: client, PRESENT_KEY: present}
        params = {**params, "_meta": meta}
        try:
            if params.get("name") == LIST:
                return await self._list(params)
            link = await self._target(params)
            return await self._unless_ending(
                self.questions.carry(lambda p: link.ask("tools/call", p, hear=hear), params, ask)
            )
        except DapwrightError as failure:
            return failed(failure)

    async def _unless_ending(self, work: Awaitable[dict[str, Any]]) -> dict[str, Any]:
        call = asyncio.ensure_future(work)
        ending = asyncio.ensure_future(self.ending.wait())
        try:
            await asyncio.wait([call, ending], return_when=asyncio.FIRST_COMPLETED)
            if not call.done():
                raise Gone("the server that relayed this call is ending; its session goes on", "call again in a moment")
            return call.result()
        finally:
            ending.cancel()
            call.cancel()

    async def _target(self, params: Mapping[str, Any]) -> Link:
        arguments = _mapping(params.get("arguments"))
        links = await self.links()
        if params.get("name") in ANYWHERE and links:
            return links[0]
        named = arguments.get("sessionId")
        chosen = _choose(links, str(named or ""), arguments)
        if chosen is not None:
            return chosen
        live = [(link, row) for link, row in await self._rows(links, params) if row.get("state") in LIVE]
        if len(live) == 1:
            return live[0][0]
        spaces = [_workspace(link) for link in links]
        if live:
            ids = ", ".join(row["id"] for _, row in live)
            raise routing.unmatched(f"{len(live)} sessions are live ({ids}): name one as `sessionId`", spaces)
        raise routing.unmatched("nothing in the call tells which workspace it is for", spaces)

    async def _list(self, params: Mapping[str, Any]) -> dict[str, Any]:
        links = await self.links()
        if len(links) == 1:
            return await links[0].ask("tools/call", params)
        rows = [{**row, "workspace": link.entry.folder} for link, row in await self._rows(links, params)]
        told = {"success": True, "sessions": rows, "count": len(rows)}
        lines = [f"{row['id']} {row['name']}: {row['state']}, in {row['workspace']}" for row in rows]
        return shaped("\n".join(lines) or "no sessions", told)

    async def _rows(self, links: list[Link], params: Mapping[str, Any]) -> list[tuple[Link, dict[str, Any]]]:
        ask = {"name": LIST, "arguments": {}, "_meta": _without_token(params)}
        answers = await asyncio.gather(*(link.ask("tools/call", ask) for link in links), return_exceptions=True)
        found = []
        for link, answer in zip(links, answers, strict=True):
            if isinstance(answer, dict):
                told = answer.get("structuredContent", {})
                found += [(link, row) for row in told.get("sessions", ())]
        return found

    # --- resources

    async def list_resources(self) -> dict[str, Any]:
        """The resources of all workspaces; the documentation once."""
        answers = await asyncio.gather(
            *(link.ask("resources/list", {}) for link in await self.links()), return_exceptions=True
        )
        rows = {row["uri"]: row for one in answers if isinstance(one, dict) for row in one.get("resources", ())}
        return {"resources": list(rows.values())}

    async def read_resource(self, uri: str) -> dict[str, Any]:
        """Read a resource where it is.

        Raises:
            Refused: there is none.
        """
        return await (await self._holder(uri)).ask("resources/read", {"uri": uri})

    async def subscribe(self, uri: str) -> None:
        """Have changes of a resource told to the watchers.

        Raises:
            Refused: there is none.
        """
        link = await self._holder(uri)
        if uri not in self._subscribed:
            await link.ask("resources/subscribe", {"uri": uri})
            self._subscribed.add(uri)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Have changes told, until the function that is returned is called."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    async def _holder(self, uri: str) -> Link:
        links = await self.links()
        session = resources.SESSION.match(uri)
        holder = links[0] if links and session is None else next((one for one in links if _of(one, uri)), None)
        if holder is None:
            raise Refused(protocol.RESOURCE_NOT_FOUND, f"there is no resource `{uri}`", {"uri": uri})
        return holder

    def _heard(self, method: str, params: dict[str, Any]) -> None:
        session = resources.SESSION.match(str(params.get("uri", "")))
        for watcher in list(self._watchers):
            if method == LISTED:
                watcher("sessions", "")
            elif session is not None:
                watcher("output" if session[2] == "output" else "audit", session[1])


LIVE = frozenset({"created", "starting", "running", "paused"})


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _without_token(params: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in _mapping(params.get("_meta")).items() if key != "progressToken"}


def _workspace(link: Link) -> Workspace:
    return Workspace(link.entry.folder, link.entry.tag, link.entry.named)


def _of(link: Link, uri: str) -> bool:
    session = resources.SESSION.match(uri)
    return session is not None and session[1].startswith(link.entry.tag)


def _choose(links: list[Link], session_id: str, arguments: Mapping[str, Any]) -> Link | None:
    paths = [os.path.realpath(path) for path in routing.paths_of(arguments) if os.path.isabs(path)]
    spaces = {_workspace(link): link for link in links}
    chosen = routing.choose(list(spaces), session_id=session_id, paths=paths, separator=os.sep)
    return spaces[chosen] if chosen is not None else None


def failed(failure: DapwrightError) -> dict[str, Any]:
    """A failure as the answer of a tool, in both forms."""
    told = {"success": False, "code": failure.code, "error": str(failure), "hint": failure.hint}
    return {**shaped(render_failure(told), told), "isError": True}


def shaped(text: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of ours in both forms."""
    return {"content": [{"type": "text", "text": text}], "structuredContent": told}
