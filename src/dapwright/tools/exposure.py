"""A session for a person to watch."""

from collections.abc import Mapping
from typing import Any

from dapwright.core.errors import WrongState
from dapwright.mirror import Endpoint
from dapwright.mirror.endpoint import HOST
from dapwright.tools import Caller, tool
from dapwright.tools.words import SessionId


@tool(title="Expose session", idempotent=True, unredacted=("token",))
async def expose_session(caller: Caller, *, session_id: SessionId = None) -> Mapping[str, Any]:
    """Open a session to a person's IDE: answers a read-only DAP endpoint on this machine, the same one when asked
    again. The IDE attaches to `host` and `port` with `token` as `mirrorToken`: it sees stacks and values and moves
    nothing. It ends with unexpose_session, a restart, the program's end or close."""
    session = caller.sessions.get(session_id, client=caller.client)
    if session.state not in ("starting", "running", "paused"):
        raise WrongState(f"session {session.id} is {session.state}: there is no run to show", "call start_debugging")
    endpoint = caller.sessions.mirrors.find(session.id)
    if endpoint is None:
        endpoint = Endpoint(
            session,
            evaluates=caller.settings.mirror_evaluate,
            judge=lambda expression: session.effects([("evaluate", expression)]),
        )
        await endpoint.open()
        caller.sessions.mirrors.keep(session.id, endpoint)
    return {"sessionId": session.id, "host": HOST, "port": endpoint.port, "token": endpoint.token}


@tool(title="Unexpose session", idempotent=True)
async def unexpose_session(caller: Caller, *, session_id: SessionId = None) -> Mapping[str, Any]:
    """Close what expose_session opened, viewers and all; the session goes on. Answers its state, exposed or not."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    endpoint = caller.sessions.mirrors.find(session.id)
    if endpoint is None:
        return {"sessionId": session.id, "state": session.state, "message": "it was not exposed"}
    endpoint.close()
    return {"sessionId": session.id, "state": session.state, "message": "closed"}
