"""The methods of MCP, of both eras, for one client; knows nothing of pipes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from dapwright.core.errors import DapwrightError
from dapwright.policy.settings import Settings
from dapwright.server import protocol, resources
from dapwright.server.asking import can_ask, question, read_reply
from dapwright.server.host import SessionsHost
from dapwright.server.instructions import instructions
from dapwright.server.opening import Opening
from dapwright.server.progress import Progress
from dapwright.server.prompts import LISTED, NAME, get_prompt
from dapwright.server.protocol import (
    CLIENT_KEY,
    INVALID_PARAMS,
    LIST_TTL_MS,
    PRESENT_KEY,
    RESOURCE_NOT_FOUND,
    Refused,
    Request,
)
from dapwright.server.updates import Updates
from dapwright.tools.caller import Caller, InputRequired, Reply
from dapwright.tools.contract import tool_list
from dapwright.tools.plain import clean
from dapwright.tools.redaction import redact_text

if TYPE_CHECKING:
    from dapwright.server.retrying import Retry
    from dapwright.tools.answers import Answer

Mention = Callable[[Mapping[str, Any]], None]
AskClient = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
"""Sends a request to the client; its result, None where it refused."""

LISTS = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
ONLY_HANDSHAKE = frozenset({"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
ONLY_STATELESS = frozenset({"server/discover", "subscriptions/listen"})
TTL_MS: Mapping[str, int] = {
    "server/discover": LIST_TTL_MS,
    "tools/list": LIST_TTL_MS,
    "prompts/list": LIST_TTL_MS,
    "resources/templates/list": LIST_TTL_MS,
    "resources/list": 0,
    "resources/read": 0,
}
"""The results that say how long they keep, in milliseconds."""


class Service:
    """Answers the requests of one client. `mention` sends it notifications, `ask_client` requests."""

    def __init__(
        self,
        opening: Opening,
        settings: Settings,
        *,
        mention: Mention,
        ask_client: AskClient,
        client: str = "stdio",
        routed: bool = False,
    ) -> None:
        self._opening = opening
        self._settings = settings
        self._mention = mention
        self._ask_client = ask_client
        self._client = client
        self._routed = routed
        self._capabilities: Any = {}
        self.updates = Updates(mention)
        self._methods: dict[str, Callable[[Request], Awaitable[dict[str, Any]]]] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "subscriptions/listen": self._listen,
            "ping": self._nothing,
            "logging/setLevel": self._nothing,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "prompts/list": self._list_prompts,
            "prompts/get": self._get_prompt,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read_resource,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._unsubscribe,
        }

    async def answer(self, request: Request) -> dict[str, Any]:
        """The result of a request, shaped for its era.

        Raises:
            Refused: it is answered by a JSON-RPC error.
        """
        method = self._methods.get(request.method)
        misplaced = ONLY_HANDSHAKE if request.stateless else ONLY_STATELESS
        if method is None or request.method in misplaced:
            raise Refused(protocol.METHOD_NOT_FOUND, f"there is no method `{request.method[:80]}`")
        if request.method in LISTS and request.params.get("cursor") is not None:
            raise Refused(INVALID_PARAMS, "`cursor` is none of ours: every list is one page")
        result = await method(request)
        if "resultType" in result:
            return result
        return protocol.complete(result, stateless=request.stateless, ttl_ms=TTL_MS.get(request.method))

    async def _nothing(self, request: Request) -> dict[str, Any]:
        return {}

    async def _initialize(self, request: Request) -> dict[str, Any]:
        self._capabilities = request.params.get("capabilities")
        self.updates.handshaken = True
        return {
            "protocolVersion": protocol.negotiate(request.params.get("protocolVersion")),
            "capabilities": protocol.capabilities(stateless=False),
            "serverInfo": protocol.SERVER_INFO,
            "instructions": instructions(self._settings),
        }

    async def _discover(self, request: Request) -> dict[str, Any]:
        return {
            "supportedVersions": [*protocol.STATELESS],
            "capabilities": protocol.capabilities(stateless=True),
            "instructions": instructions(self._settings),
        }

    async def _listen(self, request: Request) -> dict[str, Any]:
        """Lasts until the client cancels it, or the server ends."""
        assert request.id is not None
        self.updates.open_stream(request.id, request.params.get("notifications"))
        try:
            await asyncio.Event().wait()
        finally:
            self.updates.close_stream(request.id)
        return {}

    async def _list_tools(self, request: Request) -> dict[str, Any]:
        return {"tools": tool_list(self._settings)}

    async def _list_prompts(self, request: Request) -> dict[str, Any]:
        return {"prompts": LISTED}

    async def _get_prompt(self, request: Request) -> dict[str, Any]:
        arguments = request.params.get("arguments") or {}
        if request.params.get("name") != NAME:
            raise Refused(INVALID_PARAMS, f"the only prompt is `{NAME}`")
        if not isinstance(arguments, dict):
            raise Refused(INVALID_PARAMS, "`arguments` is an object")
        return get_prompt(self._settings, arguments)

    async def _list_resources(self, request: Request) -> dict[str, Any]:
        return {"resources": resources.list_resources(await self._opening.opened())}

    async def _list_templates(self, request: Request) -> dict[str, Any]:
        return {"resourceTemplates": resources.TEMPLATES}

    async def _read_resource(self, request: Request) -> dict[str, Any]:
        try:
            return resources.read_resource(await self._opening.opened(), self._settings, _uri(request))
        except resources.NoSuchResource as missing:
            raise _missing(str(missing), request) from None

    async def _subscribe(self, request: Request) -> dict[str, Any]:
        uri = _uri(request)
        if not resources.exists(await self._opening.opened(), uri):
            raise _missing(f"there is no resource `{uri}`", request)
        self.updates.subscribe(uri)
        return {}

    async def _unsubscribe(self, request: Request) -> dict[str, Any]:
        self.updates.unsubscribe(_uri(request))
        return {}

    async def _call_tool(self, request: Request) -> dict[str, Any]:
        name = request.params.get("name")
        if not isinstance(name, str):
            raise Refused(INVALID_PARAMS, "`name` is the name of a tool")
        retry = _retry(request) if request.stateless else None
        host = await self._opening.opened()
        from dapwright.tools.answers import answer  # read while the sessions were opened
        from dapwright.tools.registry import UnknownTool

        with Progress(request.meta.get("progressToken"), self._mention) as progress:
            caller = Caller(
                sessions=cast(Any, host),  # what is served as resources is what the tools move
                settings=self._settings,
                client=self._for_whom(request, host),
                tell=lambda message: progress.tell(redact_text(self._settings, clean(message))),
                ask=retry.ask if retry is not None else self._ask_person,
            )
            try:
                return _told(await answer(caller, name, request.params.get("arguments")))
            except UnknownTool as unknown:
                raise Refused(INVALID_PARAMS, _words(unknown)) from None
            except InputRequired as required:
                assert retry is not None
                return retry.result(required)

    def _for_whom(self, request: Request, host: SessionsHost) -> str:
        """The client that calls: whom a router names; a session that it names passes to it, if its own has gone."""
        if not self._routed:
            return self._client
        client = str(request.meta.get(CLIENT_KEY) or "")
        arguments, present = request.params.get("arguments"), request.meta.get(PRESENT_KEY)
        named = arguments.get("sessionId") if isinstance(arguments, dict) else None
        if isinstance(named, str) and isinstance(present, list):
            cast(Any, host).hand_over(named, client, present)
        return client

    async def _ask_person(self, message: str, schema: Mapping[str, Any]) -> Reply:
        """The handshake era: the question is a request of ours, if the client can show one."""
        if not can_ask(self._capabilities):
            return Reply("unavailable")
        return read_reply(await self._ask_client("elicitation/create", question(message, schema)))


def _retry(request: Request) -> "Retry":
    from dapwright.server.retrying import Retry  # with its cryptography, that a start does not need

    return Retry(request)


def _told(told: "Answer") -> dict[str, Any]:
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": told.text}],
        "structuredContent": told.structured,
    }
    return {**result, "isError": True} if told.is_error else result


def _words(error: DapwrightError) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)


def _uri(request: Request) -> str:
    uri = request.params.get("uri")
    if not isinstance(uri, str):
        raise Refused(INVALID_PARAMS, "`uri` is a string")
    return uri


def _missing(message: str, request: Request) -> Refused:
    return Refused(INVALID_PARAMS if request.stateless else RESOURCE_NOT_FOUND, message, {"uri": _uri(request)})
