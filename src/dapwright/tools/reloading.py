"""Changed code put into the running program."""

import os
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from dapwright.core import protocol as dap
from dapwright.core import render, state
from dapwright.core.errors import NotSupported
from dapwright.session import anchoring, arming, telling
from dapwright.tools import About, Caller, tool
from dapwright.tools.words import SessionId

SECONDS = 40.0


class Reloaded(msgspec.Struct, rename="camel"):
    """What an engine of ours made of the changed code."""

    redefined: list[str] = []
    skipped: Any = None
    failed: list[dict[str, Any]] = []
    newest_timestamp: int | None = None


HOT_RELOAD = dap.Request("dapwright/hotReload", Reloaded)


@tool(title="Hot reload", destructive=True, text=render.reload_text)
async def hot_reload(
    caller: Caller,
    *,
    session_id: SessionId = None,
    classes_dir: Annotated[str | None, About("JVM: folder of the compiled classes.")] = None,
    since_timestamp: Annotated[
        int | None, About("Only files newer than this, ms; as `newestTimestamp` was answered.")
    ] = None,
) -> Mapping[str, Any]:
    """Put changed code into the running program (JVM, Node): calls from now on run it. Breakpoints set by text
    are found again. Answers `redefined`, `skipped` and `failed` with each reason; refused in other languages."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "take changed code")
    if not session.adapter.reloads or session.main is None:
        raise NotSupported(
            f"{session.adapter.display_name} cannot take changed code while it runs", "use restart_debugging"
        )
    asked = {"classesDir": os.path.abspath(classes_dir) if classes_dir else None, "sinceTimestamp": since_timestamp}
    said = await session.main.client.ask(HOT_RELOAD, {k: v for k, v in asked.items() if v is not None}, SECONDS)
    for stop in session.stops:
        stop.frames = None
    refused = frozenset(str(row.get("file") or "") for row in said.failed)
    resolution = anchoring.resolve_again(session, refused)
    await arming.apply_files(session, session.ledger.files(), functions=bool(session.ledger.of_kind("function")))
    answer = {**msgspec.to_builtins(said), "sessionId": session.id, "anchorResolution": resolution}
    if session.state == "paused":
        return {**await telling.describe(session), **answer}
    return {**answer, "state": session.state}


@tool(title="Redefine classes", destructive=True, listed=False, text=render.reload_text)
async def redefine_classes(
    caller: Caller,
    *,
    session_id: SessionId = None,
    classes_dir: Annotated[str | None, About("Folder of the compiled classes.")] = None,
    since_timestamp: Annotated[int | None, About("Only files newer than this, ms.")] = None,
) -> Mapping[str, Any]:
    """Another name of hot_reload."""
    return await hot_reload(caller, session_id=session_id, classes_dir=classes_dir, since_timestamp=since_timestamp)
