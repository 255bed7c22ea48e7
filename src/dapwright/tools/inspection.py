"""Looking at a paused program: threads, frames, variables, expressions, source."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from dapwright import files
from dapwright.core import render, state
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.model import Frame, Raw, Variable
from dapwright.session import Session, assigning, looking, paging, placing, roster, showing, values
from dapwright.session.connection import Connection
from dapwright.session.running import standing
from dapwright.tools import About, Caller, tool
from dapwright.tools.results import UNCUT, valued
from dapwright.tools.stops import limit_of
from dapwright.tools.words import FrameId, Names, SessionId, ThreadId

PAGE = 300
VALUE = 1024
MOST_FRAMES, MOST_ITEMS = 10_000, 2**31 - 1


@tool(title="List threads", read_only=True, idempotent=True)
async def list_threads(
    caller: Caller,
    *,
    session_id: SessionId = None,
    start: Annotated[int, About("First row.", least=0, most=MOST_ITEMS)] = 0,
    count: Annotated[int, About("How many.", least=1, most=MOST_ITEMS)] = roster.SHOWN,
) -> Mapping[str, Any]:
    """List threads, child processes' too, the stopped ones first, with where each stands."""
    session = caller.sessions.get(session_id, client=caller.client)
    page = await roster.rows_of(session, start=start, count=count)
    return {**page, "tasks": await looking.tasks(session)}


@tool(title="Get stack trace", read_only=True, idempotent=True)
async def get_stack_trace(
    caller: Caller,
    *,
    session_id: SessionId = None,
    thread_id: ThreadId = None,
    include_internals: Annotated[bool, About("The runtime's frames too.")] = False,
    start: Annotated[int, About("First frame; the innermost is 0.", least=0, most=MOST_FRAMES)] = 0,
    levels: Annotated[int, About("How many.", least=1, most=MOST_FRAMES)] = 20,
) -> Mapping[str, Any]:
    """Answers a paused thread's frames, innermost first, with ids for get_scopes and evaluate_expression."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "look at variables")
    stop = standing(session, thread_id)
    seen = await looking.stack(session, stop, internals=include_internals, levels=start + levels + 20)
    rows = []
    for frame in seen.frames[start : start + levels]:
        row = {"id": looking.show_frame(session, stop, frame), **showing.frame_row(frame)}
        row |= {"column": frame.column or None, "presentationHint": frame.hint}
        if not frame.file:
            row["file"] = "<no source>"
        rows.append(row)
    answer: dict[str, Any] = {"stackFrames": rows, "count": len(seen.frames), "stopReason": stop.reason}
    if stop.thread is not None:
        answer["threadId"] = looking.show_thread(session, stop.connection, stop.thread)
    answer["hiddenFrames"] = seen.hidden or None
    if seen.kept is not None:
        answer["pausedFrame"] = {**showing.frame_row(seen.kept), "kept": True}
    return answer


@tool(title="Get scopes", read_only=True, idempotent=True)
async def get_scopes(caller: Caller, *, session_id: SessionId = None, frame_id: FrameId = None) -> Mapping[str, Any]:
    """List a frame's scopes, each with a `variablesReference` for get_variables."""
    session = caller.sessions.get(session_id, client=caller.client)
    connection, frame, stop = await _frame(session, frame_id)
    shown = looking.show_frame(session, stop, frame)
    rows = []
    for scope in await looking.scopes(connection, frame):
        as_variable = Variable(scope.name, Raw(""), reference=scope.variables_reference)
        row: dict[str, Any] = {"name": scope.name}
        row["variablesReference"] = looking.show_variables(session, connection, as_variable, shown)
        rows.append({**row, "expensive": bool(scope.expensive), "presentationHint": scope.presentation_hint})
    return {"scopes": rows, "frameId": shown}


async def _frame(session: Session, shown: int | None) -> tuple[Connection, Frame, Any]:
    state.require(session.state, "look at variables")
    return await looking.top_frame(session) if shown is None else looking.find_frame(session, shown)


@tool(title="Get variables", read_only=True)
async def get_variables(
    caller: Caller,
    *,
    session_id: SessionId = None,
    scope: Annotated[
        int, About("A `variablesReference`: a scope's, a variable's or a result's.", alias=("variablesReference",))
    ],
    names: Names = None,
    start: Annotated[int | None, About("First item.", least=0, most=MOST_ITEMS)] = None,
    count: Annotated[int | None, About("How many.", least=1, most=MOST_ITEMS)] = None,
    filter: Annotated[Literal["indexed", "named"] | None, About("Items or attributes alone.")] = None,
    timeout: Annotated[int, About("Milliseconds.", least=1)] = 10_000,
) -> Mapping[str, Any]:
    """Show what is in a scope or a container of a paused program. Values are cut at 1,024 characters,
    lists at 300 entries, announced in `truncation`; `names`, `start` and `count` lift the cut."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "look at variables")
    names = _need_names(session, names)
    target = session.handles.find("variables", scope, session.epochs)
    page = await paging.page_of(session, target, start=start, count=count, only=filter, seconds=limit_of(timeout))
    if names is not None:
        await paging.complete(session, target, page, names)
    connection = looking.connection_of(session, target)
    return await _page(
        session, connection, page, names, paged=start is not None or count is not None, frame=target.frame
    )


@tool(title="Get local variables", read_only=True, toolsets=("core", "focused"))
async def get_local_variables(
    caller: Caller,
    *,
    session_id: SessionId = None,
    frame_id: FrameId = None,
    names: Names = None,
    include_special: Annotated[bool, About("Dunder names and pseudo variables too.", rare=True)] = False,
) -> Mapping[str, Any]:
    """Show the local variables of a paused program's frame. Values are cut at 1,024 characters,
    announced in `truncation`; `names` lifts the cut and tells those not found."""
    session = caller.sessions.get(session_id, client=caller.client)
    connection, frame, stop = await _frame(session, frame_id)
    names = _need_names(session, names)
    page = await looking.locals_of(session, connection, frame, special=include_special)
    shown = looking.show_frame(session, stop, frame)
    answer = await _page(session, connection, page, names, frame=shown)
    return {**answer, "frame": {"id": shown, **showing.frame_row(frame)}, "scopeName": page.scope}


def _need_names(session: Session, names: list[str] | None) -> list[str] | None:
    if session.explicit and not names:
        raise UsageError("values are shown by name only here", "pass `names`: the variables that you want to see")
    return names or None


async def _page(
    session: Session,
    connection: Connection,
    page: looking.Page,
    names: list[str] | None,
    *,
    paged: bool = False,
    frame: int | None = None,
) -> dict[str, Any]:
    if names is not None:
        values.pick(page, names)
        engine_frame = session.handles.find("frame", frame, session.epochs).engine_id if frame else None
        await values.widen(session, connection, page, engine_frame)
    limit = UNCUT if names is not None else 0
    whole = names is not None or paged
    shown = page.variables if whole else page.variables[:PAGE]  # each row is searched for secrets: cut first
    rows = [showing.variable_row(session, connection, v, frame=frame, limit=limit) for v in shown]
    answer: dict[str, Any] = {"notFound": page.missing, "note": page.note}
    if long := [one for one in shown if names is not None and len(one.value) > UNCUT]:
        said = ", ".join(f"`{one.name}` has {len(one.value)} characters" for one in long)
        answer["truncation"] = {"valueTruncatedCount": len(long), "notice": f"{said}: evaluate a slice for the rest"}
    if names is None:
        rows, cut = render.variables(rows, value_limit=VALUE, list_limit=len(rows))
        more = 0 if paged else max((page.total or 0) + page.attributes, len(page.variables)) - len(rows)
        answer["truncation"] = render.truncation(more, cut["valueTruncatedCount"] if cut else 0)
    return {"variables": rows, "count": len(rows), "total": page.total, **answer}


@tool(title="Evaluate expression", destructive=True, toolsets=("core", "focused"))
async def evaluate_expression(
    caller: Caller,
    *,
    session_id: SessionId = None,
    expression: Annotated[str, About("In the program's language; an assignment changes the program.")],
    frame_id: FrameId = None,
    timeout: Annotated[int, About("Milliseconds.", rare=True, least=1)] = 30_000,
    allow_side_effects: Annotated[
        bool, About("false refuses what would change the program, where that can be told.", rare=True)
    ] = True,
) -> Mapping[str, Any]:
    """Evaluate an expression or a statement in a paused program's frame. Answers
    its value, or the engine's own error; what it printed is in `output`."""
    session = caller.sessions.get(session_id, client=caller.client)
    values.refuse_empty(expression)
    if allow_side_effects:
        await session.effects([("evaluate", expression)])
    connection, frame, stop = await _frame(session, frame_id)
    shown = looking.show_frame(session, stop, frame)
    place = {"id": shown, **showing.frame_row(frame)}
    session.drain()
    begun = session.transcript.last
    limit, pure = limit_of(timeout), not allow_side_effects
    try:
        body = await values.evaluate(session, connection, frame, expression, seconds=limit, pure=pure)
    except DapwrightError as failure:
        assigns = allow_side_effects and stop in session.stops
        changed = await assigning.assigned(session, connection, frame, expression) if assigns else None
        if changed is not None:
            return {**valued(session, connection, expression, changed, shown), "frame": place}
        session.drain()
        at = f"{place['name']} {place['file']}:{place['line']}"
        told = type(failure)(f"{failure} (evaluated in {at})", failure.hint)
        told.facts = {"frame": place, "output": session.transcript.text(begun)}
        raise told from failure
    session.drain()
    return {
        **valued(session, connection, expression, body, shown),
        "frame": place,
        "output": session.transcript.text(begun),
        "note": body.note,
    }


@tool(title="Set variable", destructive=True)
async def set_variable(
    caller: Caller,
    *,
    session_id: SessionId = None,
    name: Annotated[str, About("Variable, or item as get_variables names it.")],
    value: Annotated[str, About("An expression of the program's language.")],
    variables_reference: Annotated[int | None, About("The container; the frame's locals by default.")] = None,
    frame_id: FrameId = None,
) -> Mapping[str, Any]:
    """Give a variable of a paused program a new value; answers the value read back."""
    session = caller.sessions.get(session_id, client=caller.client)
    await session.effects(placing.assignment(name, value))
    container = None
    if variables_reference is not None:
        state.require(session.state, "look at variables")
        container = session.handles.find("variables", variables_reference, session.epochs)
        frame_id = container.frame or frame_id  # its items are named as that frame's code would name them
    connection, frame, stop = await _frame(session, frame_id)
    if container is not None:
        connection = looking.connection_of(session, container)
        found = await paging.held(session, container)
    else:
        found = (await looking.locals_of(session, connection, frame, special=True)).variables
    if container is not None:
        shown = looking.Page(found)
        await paging.complete(session, container, shown, [name])
        found = shown.variables
    variable = values.find(found, name)
    if variable is None and container is None:
        variable, container = await assigning.beyond_locals(session, connection, frame, name)
    if variable is None:
        known = ", ".join(one.name for one in found[:20] if not looking.hidden(one))
        raise UsageError(f"there is no variable `{name}` there", f"there are: {known}")
    body = await assigning.assign(session, connection, frame=frame, container=container, variable=variable, value=value)
    told = valued(session, connection, name, body, looking.show_frame(session, stop, frame))
    return {
        "name": name,
        "value": told["result"],
        "type": told["type"],
        "variablesReference": told["variablesReference"],
    }


@tool(title="Get source context", read_only=True, idempotent=True)
async def get_source_context(
    caller: Caller,
    *,
    session_id: SessionId = None,
    file: Annotated[str, About("Source file.")],
    line: Annotated[int, About("Line, from 1.", least=1)],
    lines_context: Annotated[int, About("Lines around it.", least=0)] = 5,
) -> Mapping[str, Any]:
    """Answers the source around a line, numbered. Works without a session. Changes nothing."""
    path = files.resolve(file, caller.sessions.folder(session_id, client=caller.client))
    lines = (await asyncio.to_thread(files.read, path)).lines
    if not 1 <= line <= len(lines):
        raise UsageError(f"`{file}` has {len(lines)} lines; there is no line {line}", "pass a line within")
    source = render.source_window(lines, line, context=min(max(lines_context, 0), 200))
    return {"file": path, "line": line, "content": lines[line - 1].strip(), "source": source}
