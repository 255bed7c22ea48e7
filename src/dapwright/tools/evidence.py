"""What the program did, in one call."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from dapwright import adapters, bounds
from dapwright.core import evidence_text
from dapwright.core.errors import UsageError, WrongState
from dapwright.core.model import TestTarget
from dapwright.evidence import investigation, testing, verdicts
from dapwright.evidence.investigation import Asked, Investigation
from dapwright.session import Session, building
from dapwright.session.placing import Wanted
from dapwright.tools import About, Caller, Inline, gating, tested, tool
from dapwright.tools.breakpoints import CONTENT, Breakpoint, place, wanted_of
from dapwright.tools.launches import environment
from dapwright.tools.stops import StopAnswer, seconds_of
from dapwright.tools.targets import Target, folder_of, session_for
from dapwright.tools.words import Detail

CALL_SECONDS = 44.0


class TestAnswer(StopAnswer):
    """A stop answer, with the failure."""

    __test__ = False
    failure: dict[str, Any] = {}
    rerun: list[str] = []
    test_passed: bool | None = None
    tests: dict[str, int] = {}
    next: str = ""


@tool(
    title="Debug a test", open_world=True, text=evidence_text.test_text, output=TestAnswer, toolsets=("core", "focused")
)
async def debug_test(
    caller: Caller,
    *,
    test: Annotated[str, About("A test id as a runner prints it, a file, a folder, or a command line.")],
    language: Annotated[str | None, About("Where the file name does not tell.", rare=True)] = None,
    runner: Annotated[str, About("pytest, unittest, ...; found by itself else.", rare=True)] = "",
    cwd: Annotated[str | None, About("Working directory.")] = None,
    args: Annotated[list[str], About("More arguments of the runner.", rare=True)] = [],
    env: Annotated[dict[str, Any], About("Variables to set; null unsets.", rare=True)] = {},
    breakpoints: Annotated[
        list[Breakpoint], About("To set first: objects with the arguments of set_breakpoint.", shallow=True)
    ] = [],
    executable_path: Annotated[str, About("Interpreter.", rare=True)] = "",
    adapter_launch_config: Annotated[dict[str, Any], About("Keys of the language.", rare=True)] = {},
    wait: Annotated[bool | float | None, About("Seconds to hold (45).", least=0)] = None,
) -> Mapping[str, Any]:
    """A failing test: start here. Runs it, or the first failing of a file or suite, and stops where it fails, locals
    alive, though the runner catches it. Answers `failure`: the message, both operands, the exception chain, the
    program's frames with their locals; a passing test's verdict; or why it cannot be collected."""
    adapter = testing.find_adapter(test, language, adapters)
    await caller.need(adapter)
    session = caller.sessions.create(adapter.language, client=caller.client, name=f"test {test[:60]}")
    try:
        folder = folder_of(cwd)
        target = TestTarget(test, runner, folder, tuple(args), environment(env), executable_path, adapter_launch_config)
        await caller.progress("finding the test's command")
        command = await testing.command_of(session, target)
        session.test_command = command
        session.launch = await testing.launch_of(session, command, stop=True)
        session.notes += command.notes
        verdicts.arm(session, command)
        for asked in breakpoints:
            await place(session, wanted_of(asked))
        await caller.progress(f"running {test[:80]}")
        await caller.sessions.begin(session, session.launch)
        await _hold(session, bounds.left(seconds_of(wait, default=CALL_SECONDS)))
        if session.state == "error" and session.error is not None:
            raise session.error
    except BaseException:
        if session.state in ("created", "starting", "error"):
            await caller.sessions.close(session)
        raise
    session.notes += testing.verdict(session)["notes"]
    answer = await tested.describe(session, message="the test still runs; call wait_for_stop")
    return await gating.ran(caller, session, "test", test, answer)


async def _hold(session: Session, seconds: float) -> None:
    """Wait for a test to stop or end; one that is built still is left to the same call again."""
    await session.until(lambda: session.state not in ("starting", "running"), seconds)
    building.check(session, 0)


class ProbeArguments(msgspec.Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """One probe."""

    file: Annotated[str | None, About("Source file.")] = None
    statement: Annotated[str | None, About("Text of the line, as in the file.", arms=CONTENT)] = None
    line: Annotated[int | None, About("Line, from 1.", least=1)] = None
    function: Annotated[str | None, About("Each call of it; beside `statement`: where to search.", arms=CONTENT)] = None
    near_line: Annotated[int | None, About("Of several matches, the closest.", arms=CONTENT, least=1)] = None
    capture: Annotated[list[str], About("Expressions.")] = []
    condition: Annotated[str, About("Only when true.")] = ""
    max_hits: Annotated[int, About("Rows to keep.", least=0)] = 0
    label: Annotated[str, About("A name for its rows.")] = ""
    set: Annotated[dict[str, Any], About("Names to give new values.")] = {}


class Table(msgspec.Struct, rename="camel"):
    """What probes saw."""

    session_id: str
    state: str
    rows: list[dict[str, Any]]
    probes: list[dict[str, Any]]
    truncated: bool
    exit_code: int | None = None
    exception: dict[str, Any] = {}
    test_passed: bool | None = None
    output: str = ""
    pending: bool = False
    message: str = ""
    next: str = ""


def asked_of(one: ProbeArguments) -> Asked:
    """A probe's arguments as an address and what to do there."""
    wanted = Wanted(
        file=one.file or "",
        line=one.line,
        statement=one.statement,
        near_line=one.near_line,
        function=one.function,
        condition=one.condition,
    )
    change = {name: text if isinstance(text, str) else repr(text) for name, text in one.set.items()}
    return Asked(wanted, one.label, tuple(one.capture), one.max_hits, change)


@tool(title="Investigate", open_world=True, text=evidence_text.table_text, output=Table, toolsets=("core", "focused"))
async def investigate(
    caller: Caller,
    *,
    probes: Annotated[
        list[ProbeArguments],
        About("Where to look, at what; `set`: names to new values.", terse=True),
    ] = [],
    target: Annotated[Target, Inline()],
    session_id: Annotated[str | None, About("Instead: a session; without `probes`: go on waiting.")] = None,
    timeout: Annotated[int, About("The run's limit, ms, at most 600000.", least=1)] = investigation.DEFAULT_MS,
    hold: Annotated[bool, About("Stop at the first hit, or where it crashes.")] = False,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """A wrong value: start here. Runs a program or a test once, never pausing it, and answers a table: the values
    of each probe's `capture` expressions, hit by hit in order; how often a condition was false, why a probe was
    never hit. `set` tries a change without editing, and tells whether the test passes."""
    if session_id is not None:
        session = caller.sessions.get(session_id, client=caller.client, ended=True)
        return await _again(caller, session, probes, timeout, hold, detail)
    session = await session_for(caller, target, "investigation")
    session.evidence = not hold
    try:
        await caller.progress("running with probes")
        found = await _place(session, probes, timeout, hold, test=target.test is not None)
        assert session.launch is not None
        await caller.sessions.begin(session, session.launch)
        await investigation.wait(session, found)
        if session.state == "error" and session.error is not None and not session.findings.rows:
            raise session.error
    except BaseException:
        if session.state in ("created", "starting", "error"):
            await caller.sessions.close(session)
        raise
    name = target.test or target.script_path or target.module or ""
    answer = await investigation.answer(session, found, detail=detail)
    return await gating.ran(caller, session, "test" if target.test else "run", name, answer)


def seconds(milliseconds: int) -> float:
    """A run's limit in seconds."""
    return min(max(milliseconds, 1), investigation.MOST_MS) / 1000


async def _place(
    session: Session, probes: list[ProbeArguments], timeout: int, hold: bool, *, test: bool = False
) -> Investigation:
    fresh = session.state == "created"
    records = await investigation.place(session, [asked_of(one) for one in probes], hold=hold, fresh=fresh)
    loads = investigation.watch_loading(session, records) if fresh else {}
    session.investigation = found = Investigation(records, loads, seconds(timeout), test=test, hold=hold)
    return found


async def _again(
    caller: Caller, session: Session, probes: list[ProbeArguments], timeout: int, hold: bool, detail: str
) -> Mapping[str, Any]:
    """Go on with an investigation, or begin one in a session that runs already."""
    found: Investigation | None = session.investigation
    if found is None and not probes:
        raise UsageError("no `probes` say where to look", "pass some; this session has no investigation to go on with")
    if found is None or probes:
        if session.state not in ("running", "paused"):
            raise WrongState(f"session {session.id} is {session.state}", "pass `scriptPath` or `test` to run it anew")
        if found is not None:
            await investigation.remove(session, found)
        found = await _place(session, probes, timeout, hold)
    else:
        found.until = max(found.until or 0, asyncio.get_running_loop().time() + seconds(timeout))
    await caller.progress("running with probes")
    with session.moving("investigate"):
        await investigation.go_on(session)
        await investigation.wait(session, found)
    if session.attachment is not None and session.state == "running":
        await investigation.remove(session, found)
    return await gating.ran(
        caller, session, "run", session.name, await investigation.answer(session, found, detail=detail)
    )
