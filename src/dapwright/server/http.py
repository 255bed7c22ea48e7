"""Streamable HTTP by the official SDK: both protocol eras, in front of the router.

Who a client is: over HTTP a token stands for one user, and an `Mcp-Session-Id` for one client
of that user. A client's calls mean its own sessions. It may name a session of another client
once that one is not there any more (no request and no stream of it is open): so a session
outlives a broken stream, and nobody takes it from under a client at work.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError

from dapwright import __version__
from dapwright.policy.settings import Settings
from dapwright.server import protocol, resources
from dapwright.server.asking import can_ask
from dapwright.server.guard import LARGEST_BODY, Guard, Presence
from dapwright.server.instructions import instructions
from dapwright.server.prompts import LISTED, NAME, get_prompt
from dapwright.server.protocol import LIST_TTL_MS, Refused
from dapwright.server.router import Router
from dapwright.server.service import TTL_MS
from dapwright.sessions import NAMELESS
from dapwright.tools import UnknownTool, find, listed

Context = ServerRequestContext[Any, Any]
SESSION_HEADER = "mcp-session-id"
MOST_LISTENERS = 1000


class _Server(Server[Any]):
    """The SDK's server, which tells that the list of resources changes."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *arguments: Any, **more: Any
    ) -> InitializationOptions:
        changes = NotificationOptions(resources_changed=True)
        return super().create_initialization_options(changes, *arguments, **more)


class Site:
    """The methods of MCP over HTTP. `present` tells which clients besides one have a request open."""

    def __init__(self, router: Router, settings: Settings, present: Callable[[str], list[str]]) -> None:
        self._router = router
        self._settings = settings
        self._present = present
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._sessions: dict[str, Any] = {}
        """The handshaken clients that hear of changes, the latest last."""
        self._subscribed: dict[str, set[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def server(self) -> Server[Any]:
        """The SDK's server with our methods."""
        server = _Server(
            protocol.SERVER_INFO["name"],
            title=protocol.SERVER_INFO["title"],
            version=__version__,
            instructions=instructions(self._settings),
            get_tool_input_schema=self._schema,
            cache_hints={"server/discover": CacheHint(ttl_ms=LIST_TTL_MS, scope="private")},
        )
        handlers: dict[str, tuple[Any, Any]] = {
            "tools/list": (types.PaginatedRequestParams, self._list_tools),
            "tools/call": (types.CallToolRequestParams, self._call_tool),
            "prompts/list": (types.PaginatedRequestParams, self._list_prompts),
            "prompts/get": (types.GetPromptRequestParams, self._get_prompt),
            "resources/list": (types.PaginatedRequestParams, self._list_resources),
            "resources/templates/list": (types.PaginatedRequestParams, self._list_templates),
            "resources/read": (types.ReadResourceRequestParams, self._read_resource),
            "resources/subscribe": (types.SubscribeRequestParams, self._subscribe),
            "resources/unsubscribe": (types.UnsubscribeRequestParams, self._unsubscribe),
            "subscriptions/listen": (types.SubscriptionsListenRequestParams, self._listen_to),
            "logging/setLevel": (types.SetLevelRequestParams, self._nothing),
        }
        for method, (kind, handler) in handlers.items():
            server.add_request_handler(method, kind, _shaped(method, handler))
        server.add_notification_handler("notifications/initialized", types.NotificationParams, self._initialized)
        return server

    def _schema(self, name: str) -> Mapping[str, Any] | None:
        try:
            return find(name).input_schema(self._settings.addressing)
        except UnknownTool:
            return None

    async def _nothing(self, ctx: Context, params: Any) -> dict[str, Any]:
        return {}

    async def _list_tools(self, ctx: Context, params: Any) -> dict[str, Any]:
        _one_page(params)
        return {"tools": listed(self._settings)}

    async def _list_prompts(self, ctx: Context, params: Any) -> dict[str, Any]:
        _one_page(params)
        return {"prompts": LISTED}

    async def _get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> dict[str, Any]:
        if params.name != NAME:
            raise MCPError(protocol.INVALID_PARAMS, f"the only prompt is `{NAME}`")
        return get_prompt(self._settings, params.arguments or {})

    async def _list_resources(self, ctx: Context, params: Any) -> dict[str, Any]:
        _one_page(params)
        return await self._router.list_resources()

    async def _list_templates(self, ctx: Context, params: Any) -> dict[str, Any]:
        _one_page(params)
        return {"resourceTemplates": resources.TEMPLATES}

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> dict[str, Any]:
        with _as_error(ctx):
            return await self._router.read_resource(str(params.uri))

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> dict[str, Any]:
        client = client_of(ctx)
        capabilities = _capabilities(ctx)
        pushes = ctx.session.can_send_request and can_ask(capabilities)
        stateless = ctx.protocol_version in protocol.STATELESS
        with _as_error(ctx):
            return await self._router.call(
                ctx.params or {},
                client=client,
                present=self._present(client),
                capabilities=capabilities if stateless or pushes else {},
                hear=lambda method, told: self._soon(_progress(ctx, told)),
                ask=None if stateless else lambda method, asked: _elicit(ctx, asked),
            )

    # --- changes

    def heard(self, client: str, what: Presence) -> None:
        """A client came or went; one that said goodbye hears of nothing any longer."""
        if what == "over":
            self._sessions.pop(client, None)
            self._subscribed.pop(client, None)
        self._router.tell_presence(client, what)

    async def _initialized(self, ctx: Context, params: Any) -> None:
        client = client_of(ctx)
        if client != NAMELESS:
            self._sessions[client] = ctx.session
            for old in list(self._sessions)[:-MOST_LISTENERS]:
                del self._sessions[old]
                self._subscribed.pop(old, None)

    async def _subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> dict[str, Any]:
        with _as_error(ctx):
            await self._router.subscribe(str(params.uri))
        self._subscribed.setdefault(client_of(ctx), set()).add(str(params.uri))
        return {}

    async def _unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> dict[str, Any]:
        self._subscribed.get(client_of(ctx), set()).discard(str(params.uri))
        return {}

    async def _listen_to(self, ctx: Context, params: types.SubscriptionsListenRequestParams) -> Any:
        for uri in params.notifications.resource_subscriptions or ():
            with contextlib.suppress(Refused):  # what is not there yet is told of when it is
                await self._router.subscribe(str(uri))
        return await self._listen(ctx, params)

    def changed(self, change: str, session_id: str) -> None:
        """Tell whoever listens; called by the router."""
        if change == "sessions":
            self._soon(self._bus.publish(ResourcesListChanged()))
            for session in self._sessions.values():
                self._soon(session.send_resource_list_changed())
            return
        uri = resources.uri_of(session_id, change)
        self._soon(self._bus.publish(ResourceUpdated(uri=uri)))
        for client, uris in self._subscribed.items():
            if uri in uris and client in self._sessions:
                self._soon(self._sessions[client].send_resource_updated(uri))

    def _soon(self, work: Any) -> None:
        task = asyncio.ensure_future(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _quietly(work: Any) -> None:
    with contextlib.suppress(Exception):  # a client that went away hears nothing
        await work


def _shaped(method: str, handler: Any) -> Any:
    """Have a method's result take the form of the client's era."""

    async def shaped(ctx: Context, params: Any) -> Any:
        result = await handler(ctx, params)
        if not isinstance(result, dict) or "resultType" in result:
            return result
        stateless = ctx.protocol_version in protocol.STATELESS
        return protocol.complete(result, stateless=stateless, ttl_ms=TTL_MS.get(method))

    return shaped


def client_of(ctx: Context) -> str:
    """The client that calls: its MCP session, or nobody in particular."""
    return str(ctx.request.headers.get(SESSION_HEADER) or NAMELESS) if ctx.request is not None else NAMELESS


def _capabilities(ctx: Context) -> dict[str, Any]:
    declared = ctx.session.client_capabilities
    return declared.model_dump(by_alias=True, mode="json", exclude_none=True) if declared is not None else {}


def _one_page(params: Any) -> None:
    if getattr(params, "cursor", None) is not None:
        raise MCPError(protocol.INVALID_PARAMS, "`cursor` is none of ours: every list is one page")


@contextlib.contextmanager
def _as_error(ctx: Context) -> Any:
    """Refusals in the SDK's words, with the code of the client's era."""
    try:
        yield
    except Refused as refused:
        missing = refused.code == protocol.RESOURCE_NOT_FOUND and ctx.protocol_version in protocol.STATELESS
        raise MCPError(protocol.INVALID_PARAMS if missing else refused.code, str(refused), refused.data) from None


async def _progress(ctx: Context, told: Mapping[str, Any]) -> None:
    await ctx.session.report_progress(float(told.get("progress", 0)), message=told.get("message"))


async def _elicit(ctx: Context, asked: Mapping[str, Any]) -> dict[str, Any]:
    reply = await ctx.session.elicit_form(
        str(asked.get("message")), asked.get("requestedSchema") or {}, related_request_id=ctx.request_id
    )
    return reply.model_dump(by_alias=True, mode="json", exclude_none=True)


def application(
    router: Router, settings: Settings, *, token: str, hosts: list[str], origins: list[str], stateless: bool
) -> tuple[Guard, StreamableHTTPSessionManager]:
    """The guarded application, and the manager that must run beside it."""
    guard = Guard(
        lambda scope, receive, send: manager.handle_request(scope, receive, send),
        token=token,
        hosts=hosts,
        origins=origins,
        tell=lambda client, what: site.heard(client, what),
    )
    site = Site(router, settings, guard.present)
    router.watch(site.changed)
    manager = StreamableHTTPSessionManager(site.server(), stateless=stateless, max_request_body_size=LARGEST_BODY)
    return guard, manager
