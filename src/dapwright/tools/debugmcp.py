"""The names that agents know from DebugMCP, with that server's arguments: understood, never listed.

Each is one of our tools under another name; what it answers is ours.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from dapwright import adapters
from dapwright.session import looking
from dapwright.sessions import NAMELESS
from dapwright.tools import About, Caller, breakpoints, gating, inspection, sessions, tool
from dapwright.tools.words import SessionId

FullPath = Annotated[str, About("Source file.", alias=("file",))]
LineOrText = Annotated[int | None, About("Line, from 1.")]
LineContent = Annotated[str | None, About("Text of the line.", alias=("statement",), arms=("content",))]
Condition = Annotated[str, About("Stop only when true.")]
HitCondition = Annotated[str, About("`3` the third hit alone; `>=3`, `%3`.", number=True)]
Scope = Annotated[Literal["local", "global", "all"], About("Which variables.")]
VariableNames = Annotated[list[str] | None, About("Only these, uncut.", alias=("names",))]


@tool(title="Add breakpoint", idempotent=True, listed=False)
async def add_breakpoint(
    caller: Caller,
    *,
    session_id: SessionId = None,
    file_full_path: FullPath,
    line: LineOrText = None,
    line_content: LineContent = None,
    condition: Condition = "",
    hit_condition: HitCondition = "",
) -> Mapping[str, Any]:
    """Stop at a line; as set_breakpoint."""
    return await breakpoints.set_breakpoint(
        caller,
        session_id=await _session(caller, session_id, file_full_path),
        file=file_full_path,
        line=line,
        statement=line_content,
        condition=condition,
        hit_condition=hit_condition,
    )


@tool(title="Add logpoint", idempotent=True, listed=False)
async def add_logpoint(
    caller: Caller,
    *,
    session_id: SessionId = None,
    file_full_path: FullPath,
    line: LineOrText = None,
    line_content: LineContent = None,
    log_message: Annotated[str, About("What to log; `{expr}` is filled in.")],
    condition: Condition = "",
    hit_condition: HitCondition = "",
) -> Mapping[str, Any]:
    """Log at a line without stopping; as set_breakpoint with `logMessage`."""
    return await breakpoints.set_breakpoint(
        caller,
        session_id=await _session(caller, session_id, file_full_path),
        file=file_full_path,
        line=line,
        statement=line_content,
        log_message=log_message,
        condition=condition,
        hit_condition=hit_condition,
    )


@tool(title="Clear all breakpoints", destructive=True, idempotent=True, listed=False)
async def clear_all_breakpoints(caller: Caller, *, session_id: SessionId = None) -> Mapping[str, Any]:
    """Remove every breakpoint; as clear_breakpoints."""
    return await breakpoints.clear_breakpoints(caller, session_id=session_id)


@tool(title="Stop debugging", destructive=True, idempotent=True, listed=False)
async def stop_debugging(caller: Caller, *, session_id: SessionId = None) -> Mapping[str, Any]:
    """End the session; as close_debug_session."""
    return await sessions.close_debug_session(caller, session_id=session_id)


@tool(title="Get variables' values", read_only=True, listed=False)
async def get_variables_values(
    caller: Caller, *, session_id: SessionId = None, variable_names: VariableNames = None, scope: Scope = "all"
) -> Mapping[str, Any]:
    """Show variables of the frame where the program stands; as get_local_variables, its other scopes too."""
    kept: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    for answer in await _scopes(caller, session_id, scope, variable_names):
        kept |= {key: answer[key] for key in ("frame", "truncation") if answer.get(key)}
        seen = {row["name"] for row in rows}
        rows += [row for row in answer["variables"] if row["name"] not in seen]
    found = {row["name"] for row in rows}
    missing = [name for name in variable_names or [] if name not in found]
    return {"variables": rows, "count": len(rows), "notFound": missing, **kept}


@tool(title="List variables' names", read_only=True, listed=False)
async def list_variable_names(
    caller: Caller, *, session_id: SessionId = None, scope: Scope = "all"
) -> Mapping[str, Any]:
    """Name the variables of the frame where the program stands, with their types and without their values."""
    session = caller.sessions.get(session_id, client=caller.client)
    connection, frame, _ = await looking.top_frame(session)
    kinds: dict[str, str] = {}
    if scope != "global":
        page = await looking.locals_of(session, connection, frame)
        kinds |= {one.name: one.type for one in page.variables}
    if scope != "local":
        for found in await looking.scopes(connection, frame):
            if not _is_local(found.name, found.presentation_hint):
                rows = await looking.children(connection, found.variables_reference)
                kinds |= {one.name: one.type for one in rows if not looking.hidden(one) and one.name not in kinds}
    return {"variables": [{"name": name, "type": kind or None} for name, kind in kinds.items()], "count": len(kinds)}


async def _scopes(
    caller: Caller, session_id: str | None, scope: str, names: list[str] | None
) -> list[Mapping[str, Any]]:
    """The variables of the scopes asked for, innermost first."""
    answers: list[Mapping[str, Any]] = []
    if scope != "global":
        answers.append(await inspection.get_local_variables(caller, session_id=session_id, names=names))
    if scope != "local":
        told = await inspection.get_scopes(caller, session_id=session_id)
        for one in told["scopes"]:
            if not _is_local(one["name"], one["presentationHint"]):
                reference = one["variablesReference"]
                answers.append(
                    await inspection.get_variables(caller, session_id=session_id, scope=reference, names=names)
                )
    return answers


async def _session(caller: Caller, session_id: str | None, file: str) -> str | None:
    """The session named; that server sets breakpoints before any, so the first makes one for its file's language."""
    if session_id or caller.client == NAMELESS or list(caller.sessions.mine(caller.client)):
        return session_id
    adapter = adapters.of_file(file)
    if adapter is None:
        return None
    gating.admit(caller)
    await caller.need(adapter)
    return caller.sessions.create(adapter.language, client=caller.client, warm=True).id


def _is_local(name: str, hint: str | None) -> bool:
    return hint == "locals" or name.lower().startswith("local")
