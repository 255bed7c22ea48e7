"""Sessions: make, list, start, restart, attach, detach, close."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from dapwright import adapters, bounds
from dapwright.core import evidence_text, state
from dapwright.core.adapter import Adapter
from dapwright.core.errors import UsageError, WrongState
from dapwright.session import Session, anchoring, building, ending, launching
from dapwright.sessions import NAMELESS
from dapwright.tools import About, Arm, Caller, Inline, configurations, gating, tested, tool
from dapwright.tools.attaching import AttachArguments, attach
from dapwright.tools.breakpoints import Breakpoint, place, wanted_of
from dapwright.tools.launches import LaunchArguments, launch_of
from dapwright.tools.stops import StopAnswer, seconds_of
from dapwright.tools.words import Detail, SessionId

START_SECONDS = 5.0
Wait = Annotated[bool | float | None, About("Hold for the first stop: seconds (5), true: 45.", least=0)]


async def settle(caller: Caller, session: Session, wait: bool | float | None, detail: str = "brief") -> dict[str, Any]:
    """Hold for the first stop of a launch, and answer it; a launch that failed is raised as its failure.

    The hold counts from when the program runs: building and starting are bounded by themselves.
    """
    await caller.progress(f"starting {session.name}")
    await session.until(lambda: session.state != "starting", bounds.left(40))
    if session.state == "running":
        settled = ("paused", "stopped", "error")
        await session.until(lambda: session.state in settled, bounds.left(seconds_of(wait, default=START_SECONDS)))
    if session.state == "error" and session.error is not None:
        raise session.error
    return await tested.describe(session, detail=detail)


@tool(title="Create session", open_world=True)
async def create_debug_session(
    caller: Caller,
    *,
    language: Annotated[str, About("See list_supported_languages.")],
    name: Annotated[str, About("A name for people.")] = "",
    executable_path: Annotated[str, About("Interpreter or runtime; found by itself else.", rare=True)] = "",
    attaching: Annotated[AttachArguments, Inline()],
) -> Mapping[str, Any]:
    """Make a debug session; start_debugging does it by itself where none is needed before. Set breakpoints in it,
    then start_debugging. Answers its `sessionId`. With `port` or `processId` it attaches in the same call. A
    missing toolchain is refused with the command that installs it."""
    adapter = adapters.find(language)
    gating.admit(caller)
    target = attaching.names_target
    await caller.need(adapter, attaching=target)
    session = caller.sessions.create(
        language, client=caller.client, name=name, executable=os.path.expanduser(executable_path), warm=not target
    )
    if target:
        return {**await attach(caller, session, attaching), "language": adapter.language}
    return {"sessionId": session.id, "language": adapter.language, "name": session.name, "state": session.state}


def timestamp(milliseconds: float) -> str:
    """A time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")


@tool(title="List sessions", read_only=True, idempotent=True)
async def list_debug_sessions(caller: Caller) -> Mapping[str, Any]:
    """List the debug sessions of this client with their states. Changes nothing."""
    rows = []
    for session in caller.sessions.mine(caller.client):
        row: dict[str, Any] = {"id": session.id, "name": session.name, "language": session.adapter.language}
        row |= {
            "state": session.state,
            "createdAt": timestamp(session.created),
            "updatedAt": timestamp(session.updated),
        }
        if session.last_stop is not None and session.state == "paused":
            row["lastStop"] = {"reason": session.last_stop.reason}
        row |= {"exitCode": session.exit_code, "signal": session.signal, "error": str(session.error or "")}
        if (mirror := caller.sessions.mirrors.find(session.id)) is not None:
            row["exposure"] = {"host": "127.0.0.1", "port": mirror.port}
        rows.append(row)
    builds = [one.facts() for one in caller.sessions.builds if caller.client in one.keepers]
    return {"sessions": rows, "count": len(rows), "builds": builds, "note": caller.sessions.lost(caller.client)}


@tool(title="Close session", destructive=True, idempotent=True, toolsets=("core", "focused"))
async def close_debug_session(caller: Caller, *, session_id: SessionId = None) -> Mapping[str, Any]:
    """End a session: a launched program is killed with all its processes, an attached one is released and
    goes on. Its output and breakpoints are gone afterwards. Answers which it was."""
    if session_id and (build := await caller.sessions.builds.release(caller.client, session_id)) is not None:
        over = "ended" if build.over else "it goes on for another call that waits"
        return {"sessionId": session_id, "state": "closed", "message": f"build `{build.command}`: {over}"}
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    message = "released" if session.attachment is not None else "ended"
    gating.settle(caller)
    await caller.sessions.close(session)
    return {"sessionId": session.id, "state": "closed", "message": message}


@tool(
    title="Start debugging",
    open_world=True,
    text=evidence_text.test_text,
    output=StopAnswer,
    toolsets=("core", "focused"),
)
async def start_debugging(
    caller: Caller,
    *,
    session_id: SessionId = None,
    what: Annotated[LaunchArguments, Inline()],
    breakpoints: Annotated[
        list[Breakpoint], About("To set first: objects with the arguments of set_breakpoint.", shallow=True)
    ] = [],
    language: Annotated[str | None, About("Where the file name does not tell.", rare=True)] = None,
    executable_path: Annotated[str, About("Interpreter, where no session names one.")] = "",
    hypothesis: Annotated[str, About("What this run is to show.", rare=True)] = "",
    dry_run_spawn: Annotated[bool, About("Tell the commands, start nothing.", rare=True)] = False,
    wait: Wait = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Run a program to its first stop (a breakpoint, an uncaught exception): with `breakpoints` inline one call from
    nothing to the locals at a line. Makes a session where none is named. Answers the stop, the end, or `running`,
    pending, after `wait`: then use wait_for_stop."""
    gating.admit(caller, hypothesis)
    if what.configuration:
        named = {"session_id": session_id, "breakpoints": breakpoints, "executable_path": executable_path}
        how = {"dry_run_spawn": dry_run_spawn, "wait": wait, "detail": detail}
        return await configurations.start(caller, what, {**named, **how})
    found = _session_for(caller, session_id, language)
    session = found or await _new(caller, _adapter_for(caller, language, what), executable_path)
    try:
        with session.moving("start_debugging"):
            state.require(session.state, "start")
            session.launch, warnings = launch_of(what, session.adapter, session.executable)
            session.warnings += warnings
            rows = [await _placed(session, asked) for asked in breakpoints]
            if dry_run_spawn:
                return {"sessionId": session.id, "state": session.state, **await dry_run(session)}
            await caller.sessions.begin(session, session.launch)
            return {**await settle(caller, session, wait, detail), "breakpoints": rows}
    except BaseException as broken:
        if found is None and (session.state in ("created", "error") or building.given_up(session, broken)):
            await caller.sessions.close(session)
        elif building.given_up(session, broken):
            await ending.let_go(session, terminate=True)
        raise


async def _new(caller: Caller, adapter: Adapter, executable: str) -> Session:
    await caller.need(adapter)
    return caller.sessions.create(adapter.language, client=caller.client, executable=executable)


async def _placed(session: Session, asked: Breakpoint) -> dict[str, Any]:
    record = await place(session, wanted_of(asked))
    return {"breakpointId": record.id, "line": record.line or None, "warning": record.warning}


async def dry_run(session: Session) -> dict[str, Any]:
    """What a launch would start, without starting it."""
    assert session.launch is not None
    plan = await launching.make_plan(session, session.launch)
    commands = [list(plan.argv)] + ([list(plan.program.argv)] if plan.program else [])
    session.launch = None
    return {"wouldStart": [c for c in commands if c], "request": plan.request, "note": "; ".join(plan.notes)}


def _session_for(caller: Caller, session_id: str | None, language: str | None) -> Session | None:
    """The session named, else a lone one that is still `created` and of the language."""
    wanted = adapters.find(language).language if language else None
    if session_id:
        session = caller.sessions.get(session_id, client=caller.client, ended=True)
        if session.state != "created":
            said = f"session {session.id} was started already: it is {session.state}"
            raise WrongState(said, "call restart_debugging, or leave `sessionId` out for a session of its own")
        if wanted not in (None, session.adapter.language):
            said = f"session {session.id} is one for {session.adapter.language}, and `language` is `{wanted}`"
            raise UsageError(said, "leave one of them out")
        return session
    if caller.client == NAMELESS:
        return None
    waiting = [s for s in caller.sessions.mine(caller.client) if s.state == "created" and not s.evidence]
    return waiting[0] if len(waiting) == 1 and wanted in (None, waiting[0].adapter.language) else None


def _adapter_for(caller: Caller, language: str | None, what: LaunchArguments) -> Adapter:
    if language:
        return adapters.find(language)
    if what.module:
        return adapters.find("python")
    found = adapters.of_file(what.script_path) if what.script_path else None
    if found is None and not what.script_path:
        raise UsageError("nothing says what to run", "pass `scriptPath` (a file or a folder), or `module`")
    if found is None:
        raise UsageError(
            f"the name of `{what.script_path}` does not tell its language",
            "pass `language` too; list_supported_languages names them",
        )
    return found


@tool(
    title="Restart",
    open_world=True,
    text=evidence_text.test_text,
    output=StopAnswer,
    arms={
        arm: Arm(
            about="Run the last launch again, also after its end: breakpoints are applied again, output begins\n"
            "anew. Answers the first stop."
        )
        for arm in ("line", "assert")
    },
)
async def restart_debugging(
    caller: Caller, *, session_id: SessionId = None, wait: Wait = None, detail: Detail = "brief"
) -> Mapping[str, Any]:
    """Run the last launch again, also after its end: breakpoints are applied again, those set by text are found
    again in the edited files (`anchorResolution`), output begins anew. Answers the first stop."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    if session.launch is None or session.attachment is not None or session.state == "created":
        raise WrongState(
            "this session was never launched", "attach again with attach_to_process, or call start_debugging"
        )
    with session.moving("restart_debugging"):
        resolution = anchoring.resolve_again(session)
        await caller.sessions.restart(session)
        session.warnings += [f"{one['breakpointId']} is stale: {one['reason']}" for one in resolution.get("stale", [])]
        try:
            answer = await settle(caller, session, wait, detail)
        except BaseException as broken:
            if building.given_up(session, broken):
                await ending.let_go(session, terminate=True)
            raise
    again = {"breakpointsReapplied": len(session.ledger.shown()), "outputReset": True, "anchorResolution": resolution}
    return {**answer, **again}


@tool(title="Attach", open_world=True, text=evidence_text.test_text, output=StopAnswer, toolsets=("core", "focused"))
async def attach_to_process(
    caller: Caller,
    *,
    session_id: SessionId = None,
    language: Annotated[str | None, About("Where no session is named.", rare=True)] = None,
    target: Annotated[AttachArguments, Inline()],
) -> Mapping[str, Any]:
    """Debug a process that runs already, by its debug `port` or `processId`; it is paused unless `stopOnEntry`
    is false, and goes on when the session ends. Answers where it is; a failure tells its true cause."""
    gating.admit(caller)
    session = _session_for(caller, session_id, language)
    if session is None:
        adapter = adapters.find(language or "python")
        await caller.need(adapter, attaching=True)
        session = caller.sessions.create(adapter.language, client=caller.client, warm=False)
    state.require(session.state, "start")
    return await attach(caller, session, target)


@tool(title="Detach", destructive=True)
async def detach_from_process(
    caller: Caller,
    *,
    session_id: SessionId = None,
    terminate_process: Annotated[bool, About("Kill it instead.")] = False,
) -> Mapping[str, Any]:
    """Let go of an attached process: it runs on without the debugger, its breakpoints gone.
    Answers the state."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "detach")
    if session.attachment is None:
        raise WrongState("this program was launched here, not attached to", "call close_debug_session to end it")
    await ending.let_go(session, terminate=terminate_process)
    return {
        "sessionId": session.id,
        "state": session.state,
        "message": "killed" if terminate_process else "released; it runs on",
    }
