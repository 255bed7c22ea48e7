"""Where to stop: set, list, remove."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from dapwright import files
from dapwright.core import render
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.ledger import Record
from dapwright.session import Session, arming, placing, showing, telling
from dapwright.session.placing import Wanted
from dapwright.tools import About, Arm, Caller, tool
from dapwright.tools.words import SessionId

CONTENT = ("content",)
ASSERT = ("content", "assert")

File = Annotated[str | None, About("Source file (JVM: or class name).")]
Line = Annotated[int | None, About("Line, from 1; last resort.", by_line="Line, from 1.", least=1)]
Expected = Annotated[str | None, About("Text expected on `line`; another sets nothing.", arms=ASSERT)]
StatementText = Annotated[str | None, About("Text of the line to stop at, as in the file.", arms=CONTENT)]
NearLine = Annotated[int | None, About("Of several matches, the closest to this line.", arms=CONTENT, least=1)]
FunctionName = Annotated[
    str | None, About("Stop when it is called; beside `statement`: search in its body only.", arms=CONTENT)
]
Watched = Annotated[
    str | None, About("Stop when this expression's value changes (not in every engine).", arms=CONTENT, rare=True)
]
Access = Annotated[Literal["write", "read", "readWrite"], About("What to watch for.", arms=CONTENT, rare=True)]
Condition = Annotated[str, About("Stop only when true.")]
HitCondition = Annotated[str, About("`3` the third hit alone; `>=3`, `%3`.", number=True)]
LogMessage = Annotated[str, About("Log this instead of stopping; `{expr}` is filled in.")]
Suspend = Annotated[Literal["all", "thread"] | None, About("JVM: what a hit suspends.", rare=True)]


class Breakpoint(msgspec.Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """One breakpoint of an inline list."""

    file: File = None
    line: Line = None
    expected_content: Expected = None
    statement: StatementText = None
    near_line: NearLine = None
    function: FunctionName = None
    watch: Watched = None
    access: Access = "write"
    condition: Condition = ""
    hit_condition: HitCondition = ""
    log_message: LogMessage = ""
    suspend_policy: Suspend = None


def wanted_of(asked: Breakpoint) -> Wanted:
    """An inline breakpoint as an address."""
    return Wanted(
        file=asked.file or "",
        line=asked.line,
        statement=asked.statement,
        near_line=asked.near_line,
        function=asked.function,
        expected_content=asked.expected_content,
        condition=asked.condition,
        hit_condition=asked.hit_condition,
        log_message=asked.log_message,
        watch=asked.watch,
        access=asked.access,
        suspend_policy=asked.suspend_policy or "",
    )


async def place(session: Session, wanted: Wanted) -> Record:
    """Set one breakpoint: resolved, kept, and told to every engine of the session."""
    record = session.ledger.add(await placing.make(session, wanted))
    try:
        await arming.apply(session, [record])
    except DapwrightError:
        session.ledger.remove([record])
        raise
    return record


@tool(
    title="Set breakpoint",
    idempotent=True,
    arms={
        "line": Arm(
            about="Stop at a line of a source file, by its number. Works before the launch, while it runs and after\n"
            "its end. Answers the line that it is bound to.",
            required=("session_id", "file", "line"),
        ),
        "assert": Arm(
            about="Stop at a line of a source file, by its number; `expectedContent` guards it: where the line says\n"
            "something else, nothing is set. Works before the launch, while it runs and after its end. Answers the\n"
            "line bound, with its text. The same place again replaces it.",
            required=("session_id", "file", "line"),
        ),
    },
    toolsets=("core", "focused"),
)
async def set_breakpoint(
    caller: Caller,
    *,
    session_id: SessionId = None,
    file: File = None,
    line: Line = None,
    expected_content: Expected = None,
    statement: StatementText = None,
    near_line: NearLine = None,
    function: FunctionName = None,
    watch: Watched = None,
    access: Access = "write",
    condition: Condition = "",
    hit_condition: HitCondition = "",
    log_message: LogMessage = "",
    suspend_policy: Suspend = None,
) -> Mapping[str, Any]:
    """Stop at one place: `file` + `statement` (best: found by its text, again after edits), `file` + `line`,
    a `function`, or a `watch`ed value; in any state of the program. Answers the line bound, with its text;
    a refusal lists the lines to choose from. The same place again replaces it."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    asked = Breakpoint(
        file=file,
        line=line,
        expected_content=expected_content,
        statement=statement,
        near_line=near_line,
        function=function,
        watch=watch,
        access=access,
        condition=condition,
        hit_condition=hit_condition,
        log_message=log_message,
        suspend_policy=suspend_policy,
    )
    record = await place(session, wanted_of(asked))
    return {"sessionId": session.id, **told(record, source=True)}


def told(record: Record, *, source: bool = False) -> dict[str, Any]:
    """A breakpoint as an agent is told of it."""
    row: dict[str, Any] = {"breakpointId": record.id, "file": record.file, "line": record.line or None}
    row |= {"requestedLine": record.requested_line, "content": record.content, "verified": record.verified}
    if record.anchor is not None:
        anchor = record.anchor
        row["anchor"] = {"statement": anchor.statement, "nearLine": anchor.near_line, "function": anchor.function}
    if record.kind == "function":
        row["functionName"] = record.function
    if record.kind == "watch":
        row |= {"watch": record.watch, "access": record.access}
    row |= {"condition": record.condition, "hitCondition": record.hit_condition, "logMessage": record.log_message}
    row |= _bound(record)
    row["content"] = row["content"] or None
    row["message"] = record.message or _message(record)
    row["warning"] = record.warning
    if source and record.warning and record.kind == "line":
        lines = showing.source_lines(record.file)
        row["source"] = render.source_window(lines, record.line) if lines else None
    return row


def _bound(record: Record) -> dict[str, Any]:
    """Where an engine has put it, where that is elsewhere."""
    for verdict in record.said.values():
        if verdict.line is not None and verdict.line != record.line:
            return {"boundLine": verdict.line, "boundFile": verdict.file if verdict.file != record.file else None}
    return {}


def _message(record: Record) -> str:
    if record.hits or record.verified:
        messages = (verdict.message for verdict in record.said.values())
        return next((told for told in messages if told.startswith("bound")), "bound")
    said = next((verdict.message for verdict in record.said.values() if verdict.message), "")
    return said or (
        "not bound yet: the engine binds it when its code is loaded" if record.said else "set; bound at the launch"
    )


@tool(title="List breakpoints", read_only=True, idempotent=True)
async def list_breakpoints(
    caller: Caller,
    *,
    session_id: SessionId = None,
    file: Annotated[str | None, About("Only those of this file.")] = None,
) -> Mapping[str, Any]:
    """List the session's breakpoints with whether each is bound and how often it was hit. Changes nothing."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    records = session.ledger.shown()
    if file is not None:
        path = _path(session, file)
        there = [r for r in records if r.kind == "line" and files.same(r.file, path)]
        return {"breakpoints": [_row(r) for r in there], "count": len(there)}
    lines = [_row(r) for r in records if r.kind == "line"]
    if session.addressing != "content":
        return {"breakpoints": lines, "count": len(lines)}
    functions = [_row(r) for r in records if r.kind == "function"]
    return {
        "breakpoints": lines,
        "functionBreakpoints": functions,
        "functionCount": len(functions),
        "watches": [_row(r) for r in records if r.kind == "watch"],
        "count": len(records),
    }


def _row(record: Record) -> dict[str, Any]:
    row = told(record)
    row["hits"] = record.hits
    if record.verified:
        row["verifiedBy"] = "engine" if any(v.verified for v in record.said.values()) else "hit"
    return row


def _path(session: Session, file: str) -> str:
    cwd = session.launch.cwd if session.launch else ""
    return files.resolve(file, cwd)


@tool(
    title="Remove breakpoint",
    destructive=True,
    idempotent=True,
    toolsets=("core", "focused"),
    arms={
        arm: Arm(
            about="Remove a breakpoint by its id, or by file and line; at once where the program runs.\n"
            "Answers what was removed, or an error that lists what is there."
        )
        for arm in ("line", "assert")
    },
)
async def remove_breakpoint(
    caller: Caller,
    *,
    session_id: SessionId = None,
    breakpoint_id: Annotated[str | None, About("As set_breakpoint answered it.")] = None,
    function: Annotated[str | None, About("A function breakpoint's name.", arms=CONTENT, rare=True)] = None,
    file: Annotated[str | None, About("With `line`.", rare=True)] = None,
    line: Annotated[int | None, About("With `file`.", rare=True, least=1)] = None,
) -> Mapping[str, Any]:
    """Remove a breakpoint by its id, by function name, or by file and line; at once where the program runs.
    Answers what was removed, or an error that lists what is there."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    records = session.ledger.shown()
    if breakpoint_id:
        found = [r for r in records if r.id == breakpoint_id]
    elif file and line is not None:
        path = _path(session, file)
        found = [r for r in records if r.kind == "line" and r.line == line and files.same(r.file, path)]
    elif function:
        found = [r for r in records if r.kind == "function" and function in (r.function, r.function.rsplit(".", 1)[-1])]
    else:
        ways = "pass `breakpointId`, `function`, or `file` and `line`"
        raise UsageError("nothing says which breakpoint", ways, by_line="pass `breakpointId`, or `file` and `line`")
    if not found:
        there = ", ".join(telling.where(r) for r in records) or "none is set"
        raise UsageError("there is no such breakpoint", f"breakpoints: {there}")
    await _drop(session, found)
    return {"removed": [telling.where(r) for r in found], "count": len(found)}


async def _drop(session: Session, found: list[Record]) -> None:
    touched = dict.fromkeys(file for record in found for file, _ in record.lines())
    kinds = {record.kind for record in found if not record.places}
    session.ledger.remove(found)
    await arming.apply_files(session, touched, functions="function" in kinds, watches="watch" in kinds)


@tool(title="Clear breakpoints", destructive=True, idempotent=True)
async def clear_breakpoints(
    caller: Caller,
    *,
    session_id: SessionId = None,
    file: Annotated[str | None, About("Only those of this file.")] = None,
) -> Mapping[str, Any]:
    """Remove all breakpoints of the session, or of one file; at once where the program runs.
    Answers how many, and in which files; none is success."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    found = session.ledger.shown()
    if file is not None:
        path = _path(session, file)
        found = [record for record in found if record.file and files.same(record.file, path)]
    await _drop(session, found)
    return {"cleared": len(found), "files": sorted({record.file for record in found if record.file})}
