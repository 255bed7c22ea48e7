"""MCP as messages, both eras, without any I/O: reading lines, choosing the era, shaping results.

The handshake revisions begin with `initialize`; the stateless one names its revision in the `_meta`
of every request. Which era a request is of is a matter of that request alone, so both may share a pipe.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright import __version__

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = ("2026-07-28",)
META = "io.modelcontextprotocol/"
VERSION_KEY, CAPABILITIES_KEY = META + "protocolVersion", META + "clientCapabilities"
SUBSCRIPTION_KEY, SERVER_KEY = META + "subscriptionId", META + "serverInfo"
CLIENT_KEY, PRESENT_KEY = "dapwright/client", "dapwright/present"
"""What a router tells a workspace with a call: the client that calls, and which other clients are there."""
PRESENCE = "dapwright/presence"
"""By this request a router tells a workspace that a client came (`here`), went (`left`) or said goodbye (`over`)."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
RESOURCE_NOT_FOUND = -32002
"""Of the handshake era; the stateless one says INVALID_PARAMS."""
UNSUPPORTED_VERSION = -32022

SERVER_INFO = {"name": "dapwright", "title": "dapwright", "version": __version__}
LIST_TTL_MS = 3_600_000
"""How long a client may keep a list that never changes."""

Id = int | float | str


class Refused(Exception):
    """A request that is answered by a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Request(msgspec.Struct, frozen=True):
    """A method to call; without an id it is a notification and gets no answer."""

    method: str
    params: dict[str, Any]
    id: Id | None = None
    stateless: bool = False

    @property
    def meta(self) -> dict[str, Any]:
        """The `_meta` of the parameters; empty where there is none or it is no object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


class Reply(msgspec.Struct, frozen=True):
    """The client's answer to a request of ours: a result, or None where it sent an error."""

    id: Any
    result: dict[str, Any] | None


class Malformed(msgspec.Struct, frozen=True):
    """A message that is none; `id` is None where none could be read."""

    code: int
    message: str
    id: Id | None = None
    data: Any = None


Message = Request | Reply | Malformed


def read_line(line: bytes) -> list[Message]:
    """Read one line; an array of messages counts as its messages, a blank line as none."""
    line = line.strip().removeprefix(b"\xef\xbb\xbf")
    if not line:
        return []
    try:
        value = _decode(line)
    except (ValueError, RecursionError):
        return [Malformed(PARSE_ERROR, "the line is not JSON")]
    if isinstance(value, list) and value:
        return [_message(one) for one in value]
    return [_message(value)]


def _decode(line: bytes) -> Any:
    """JSON, strictly and fast; else tolerantly: bad UTF-8 is replaced, lone surrogates are kept."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return json.loads(line.decode("utf-8", "replace"))


def _message(value: Any) -> Message:
    if not isinstance(value, dict):
        return Malformed(INVALID_REQUEST, "a message is an object")
    id, has_id = value.get("id"), "id" in value
    if has_id and not _is_id(id):
        return Malformed(INVALID_REQUEST, "`id` is a string or a number")
    if value.get("jsonrpc") != "2.0":
        return Malformed(INVALID_REQUEST, '`jsonrpc` is "2.0"', id)
    if "method" not in value and has_id and ("result" in value or "error" in value):
        result = value.get("result")
        return Reply(id, result if isinstance(result, dict) else None)
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str):
        return Malformed(INVALID_REQUEST, "`method` is a string", id)
    if params is None:
        params = {}
    if not isinstance(params, dict):
        return Malformed(INVALID_PARAMS, "`params` is an object", id)
    return _by_era(Request(method, params, id))


def _is_id(id: Any) -> bool:
    if isinstance(id, float):
        return math.isfinite(id)
    return isinstance(id, (int, str)) and not isinstance(id, bool)


def _by_era(request: Request) -> Message:
    """Tell the era by the request's own `_meta`."""
    version = request.meta.get(VERSION_KEY)
    if version is None or request.method == "initialize":
        return msgspec.structs.replace(request, stateless=request.method == "server/discover")
    if version not in STATELESS:
        data = {"supported": [*STATELESS], "requested": str(version)}
        return Malformed(UNSUPPORTED_VERSION, f"revision `{version}` is not spoken here", request.id, data)
    if request.id is not None and not isinstance(request.meta.get(CAPABILITIES_KEY), dict):
        return Malformed(INVALID_PARAMS, f"`_meta` lacks `{CAPABILITIES_KEY}`", request.id)
    return msgspec.structs.replace(request, stateless=True)


def negotiate(asked: Any) -> str:
    """The handshake revision to speak: the one asked for where we know it, else our latest."""
    return asked if asked in HANDSHAKE else HANDSHAKE[-1]


def capabilities(*, stateless: bool) -> dict[str, Any]:
    """What this server offers; the tool list never changes, the resource list does."""
    offered: dict[str, Any] = {
        "tools": {},
        "prompts": {},
        "resources": {"subscribe": True, "listChanged": True},
    }
    return offered if stateless else {**offered, "logging": {}}


def complete(result: Mapping[str, Any], *, stateless: bool, ttl_ms: int | None = None) -> dict[str, Any]:
    """Shape a result for its era; `ttl_ms` marks one that a client may keep for so long."""
    if not stateless:
        return dict(result)
    shaped = {"resultType": "complete", **result}
    if ttl_ms is not None:
        # What we serve belongs to whoever started us: never shared between users.
        shaped |= {"ttlMs": ttl_ms, "cacheScope": "private"}
    shaped["_meta"] = {**result.get("_meta", {}), SERVER_KEY: SERVER_INFO}
    return shaped


def result_of(id: Id | None, result: Mapping[str, Any]) -> dict[str, Any]:
    """The message that answers a request."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_of(id: Id | None, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """The message that refuses a request; the id is null where none could be read."""
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": id, "error": error}


def notification(method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A message that gets no answer."""
    return {"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params})


def encode(message: Mapping[str, Any]) -> bytes:
    """One line. A client's own id is echoed as it came, even if it is no Unicode."""
    try:
        return msgspec.json.encode(message) + b"\n"
    except (UnicodeEncodeError, OverflowError):
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def stuck_result(*, stateless: bool) -> dict[str, Any]:
    """The answer to a tool call that the server itself could not finish in time."""
    error = "the server is stuck and did not answer this call in time"
    hint = "call again; if that fails too, restart the server: its standard error shows where it stands"
    told = {"success": False, "code": "time-limit", "error": error, "hint": hint}
    text = f"error (time-limit): {error}\nhint: {hint}"
    result = {"content": [{"type": "text", "text": text}], "structuredContent": told, "isError": True}
    return complete(result, stateless=stateless)
