"""Going on: continue, step, wait, pause, feed input."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from dapwright.core import evidence_text, state
from dapwright.core import protocol as dap
from dapwright.core.errors import NotSupported, UsageError
from dapwright.session import Session, entering, feeding, placing, running, telling, triggering
from dapwright.session.connection import Connection, Stop
from dapwright.tools import About, Caller, gating, tested, tool
from dapwright.tools.stops import StopAnswer, seconds_of
from dapwright.tools.words import Detail, SessionId, ThreadId

MAX_COUNT = 1000
WAIT_MS = 45_000
INPUT_SECONDS = 40.0
"""How long input waits for a program that is being built or started."""


class Until(msgspec.Struct, rename="camel"):
    """Where to run to."""

    file: Annotated[str | None, About("Source file.")] = None
    line: Annotated[int | None, About("Line, from 1.", least=1)] = None
    statement: Annotated[str | None, About("Text of the line.", arms=("content",))] = None
    function: Annotated[str | None, About("Function name.", arms=("content",))] = None


async def hold(session: Session, seconds: float, *, before: int, connection: Connection | None = None) -> bool:
    """Wait for a stop newer than `before`, or the end; a step waits for its own process first."""

    def settled() -> bool:
        if session.state in ("stopped", "error"):
            return True
        mine = [s for s in session.stops if connection is None or s.connection is connection]
        return any(stop.number > before or not stop.told for stop in mine)

    return await session.until(settled, seconds)


def newest(session: Session) -> int:
    """The number of the last stop so far."""
    return max((stop.number for stop in session.stops), default=session.last_stop.number if session.last_stop else 0)


async def _step(
    caller: Caller,
    session_id: str | None,
    how: str,
    *,
    count: int,
    thread_id: int | None,
    more: Mapping[str, Any],
    detail: str,
) -> Mapping[str, Any]:
    session = caller.sessions.get(session_id, client=caller.client)
    if not 1 <= count <= MAX_COUNT:
        raise UsageError(f"`count` is {count}", f"pass a number from 1 to {MAX_COUNT}")
    with session.moving(f"step_{how}"):
        loop = asyncio.get_running_loop()
        end, done = loop.time() + running.HOLD_SECONDS, 0
        state.require(session.state, "step")
        thread, stepped = thread_id, running.standing(session, thread_id)
        while done < count:
            done += 1
            before = newest(session)
            look = done == count and detail != "none"
            connection = await running.step(session, how, thread=thread, more=more, look=look)
            await hold(session, max(end - loop.time(), 0.01), before=before, connection=connection)
            stop = session.tell()
            if session.state != "paused" or stop is None or stop.reason not in ("step", "goto"):
                break
        if done < count:
            session.notes.append(f"ended after {done} of {count} steps")
        if switched := running.switched(session, stepped):
            session.notes.append(switched)
        return await tested.describe(session, detail=detail)


async def _enter(session: Session, start: Stop, target: str, thread_id: int | None, detail: str) -> Mapping[str, Any]:
    """Step into a call by its name, where the engine cannot choose: see session/entering.py."""
    end = asyncio.get_running_loop().time() + running.HOLD_SECONDS

    async def advance(how: str) -> Stop | None:
        before = newest(session)
        connection = await running.step(session, how, thread=thread_id)
        await hold(session, max(end - asyncio.get_running_loop().time(), 0.01), before=before, connection=connection)
        stop = session.tell()
        return stop if session.state == "paused" and stop is not None and stop.reason == "step" else None

    running.refuse_post_mortem(session)
    with session.moving("step_into"):
        place, name = await entering.begin(start, target)
        await entering.enter(session, place, name, advance)
        return await tested.describe(session, detail=detail)


Count = Annotated[int, About("How many steps; another stop ends them early.", rare=True)]
Granularity = Annotated[Literal["line", "instruction"], About("Step by line or by machine instruction.", rare=True)]
Suspend = Annotated[Literal["all", "thread"] | None, About("JVM: which threads the stop suspends.", rare=True)]


def _granularity(granularity: str, suspend: str | None = None) -> dict[str, Any]:
    more = {"granularity": granularity} if granularity != "line" else {}
    return {**more, "suspendPolicy": suspend} if suspend else more


@tool(title="Step over", text=evidence_text.test_text, output=StopAnswer)
async def step_over(
    caller: Caller,
    *,
    session_id: SessionId = None,
    count: Count = 1,
    thread_id: ThreadId = None,
    granularity: Granularity = "line",
    suspend_policy: Suspend = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Run a paused program to its next line, calls included; answers the new stop.
    After 5 s without one it answers `running`, pending: then use wait_for_stop."""
    more = _granularity(granularity, suspend_policy)
    return await _step(caller, session_id, "over", count=count, thread_id=thread_id, more=more, detail=detail)


@tool(title="Step into", text=evidence_text.test_text, output=StopAnswer)
async def step_into(
    caller: Caller,
    *,
    session_id: SessionId = None,
    target: Annotated[str | None, About("Which call of the line to enter, by its text.")] = None,
    count: Count = 1,
    thread_id: ThreadId = None,
    granularity: Granularity = "line",
    suspend_policy: Suspend = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Enter the call on a paused program's line; answers the new stop. Library code is passed
    over under justMyCode. After 5 s without a stop it answers `running`, pending."""
    more = _granularity(granularity, suspend_policy)
    if target is not None:
        session = caller.sessions.get(session_id, client=caller.client)
        stop = running.standing(session, thread_id)
        if not stop.connection.capabilities.supports_step_in_targets_request:
            return await _enter(session, stop, target, thread_id, detail)
        more |= await running.target_of(session, target)
    return await _step(caller, session_id, "into", count=count, thread_id=thread_id, more=more, detail=detail)


@tool(title="Step out", text=evidence_text.test_text, output=StopAnswer)
async def step_out(
    caller: Caller,
    *,
    session_id: SessionId = None,
    count: Count = 1,
    thread_id: ThreadId = None,
    suspend_policy: Suspend = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Run a paused program until the function returns to its caller; answers that stop, with the
    returned value where the engine tells it. After 5 s without a stop it answers `running`, pending."""
    more = _granularity("line", suspend_policy)
    return await _step(caller, session_id, "out", count=count, thread_id=thread_id, more=more, detail=detail)


@tool(title="Step", text=evidence_text.test_text, output=StopAnswer, toolsets=("focused",))
async def step(
    caller: Caller,
    *,
    session_id: SessionId = None,
    direction: Annotated[Literal["over", "into", "out"], About("Which way.")] = "over",
    count: Count = 1,
    thread_id: ThreadId = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Run a paused program one step on; answers the new stop. After 5 s without one it answers
    `running`, pending: then use wait_for_stop."""
    return await _step(caller, session_id, direction, count=count, thread_id=thread_id, more={}, detail=detail)


@tool(title="Continue", text=evidence_text.test_text, output=StopAnswer, toolsets=("core", "focused"))
async def continue_execution(
    caller: Caller,
    *,
    session_id: SessionId = None,
    wait: Annotated[bool | float, About("Hold for the next stop: seconds, true: 45.", least=0)] = False,
    until: Annotated[
        Until | None,
        About("Run to {file, line | statement} or {function}.", shallow=True, by_line="Run to {file, line}."),
    ] = None,
    thread_id: ThreadId = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Let a paused program go on. Without `wait` it answers `running` at once; with it, the next
    stop or the end. `until` adds a place to stop at, gone after the next stop."""
    session = caller.sessions.get(session_id, client=caller.client)
    with session.moving("continue_execution"):
        state.require(session.state, "continue")
        running.refuse_post_mortem(session)
        running.standing(session, thread_id)
        if until is not None:
            await running.run_until(session, placing.until_record(session, msgspec.to_builtins(until)))
        before = newest(session)
        connection = await running.resume(session, dap.CONTINUE, thread=thread_id)
        seconds = seconds_of(wait, default=0)
        if connection is None or seconds:
            await caller.progress("waiting for the next stop")
            await hold(session, seconds or 1, before=before)
            return await tested.describe(session, detail=detail)
        return {"sessionId": session.id, "state": "running", "message": telling.waiting(session)}


@tool(
    title="Wait for a stop",
    read_only=True,
    idempotent=True,
    open_world=True,
    text=evidence_text.test_text,
    output=StopAnswer,
    toolsets=("core", "focused"),
)
async def wait_for_stop(
    caller: Caller,
    *,
    session_id: SessionId = None,
    timeout: Annotated[int, About("Milliseconds, at most 45000.", least=0)] = WAIT_MS,
    trigger: Annotated[
        dict[str, Any] | None,
        About(
            "Made once waiting: {command: [argv]} or {http: url, method, headers, body}; answered as `triggerResult`.",
            rare=True,
        ),
    ] = None,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Wait until the program stops or ends; a stop that came before is answered at once. A wait that passes
    answers `running`, pending, and changes nothing: call again."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "wait for a stop")
    seconds = min(max(timeout, 0), WAIT_MS) / 1000
    if trigger is not None:
        await triggering.start(session, trigger)
        if session.state == "paused":
            session.notes.append("the trigger is made while the program stands; its result comes with a later answer")
    await caller.progress("waiting for a stop")
    await session.until(lambda: session.state in ("paused", "stopped", "error"), seconds)
    gating.settle(caller)
    return await tested.describe(session, detail=detail)


@tool(title="Pause", text=evidence_text.test_text, output=StopAnswer)
async def pause_execution(
    caller: Caller, *, session_id: SessionId = None, thread_id: ThreadId = None, detail: Detail = "brief"
) -> Mapping[str, Any]:
    """Stop a running program where it is; answers the stop, or pending after 5 s where its threads
    run native code. On a paused session it changes nothing and says so."""
    session = caller.sessions.get(session_id, client=caller.client)
    if session.state == "paused":
        session.notes.append("it was paused already")
        return await tested.describe(session, detail=detail)
    await running.pause(session, thread_id)
    await session.until(lambda: session.state != "running", running.HOLD_SECONDS)
    message = "the pause is asked for, and takes effect when a thread runs code of the program; call wait_for_stop"
    return await tested.describe(session, detail=detail, message=message)


@tool(title="Send input")
async def send_input(
    caller: Caller,
    *,
    session_id: SessionId = None,
    text: Annotated[str, About("Text for standard input, with its newline.", raw=True)] = "",
    close: Annotated[bool, About("End of input after it.")] = False,
) -> Mapping[str, Any]:
    """Feed the program's standard input, which is open and empty until then. Answers how much was sent."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "send input")
    if session.state == "starting":  # a launch on its way has no input yet: it is no attachment
        await session.until(lambda: session.state != "starting" or feeding.fed(session) is not None, INPUT_SECONDS)
    if session.program is None and session.adapter.input_request and session.main is not None:
        await session.main.client.ask(dap.Request("dapwright/input", dap.LAUNCH.answer), {"text": text, "close": close})
    elif (program := feeding.fed(session)) is None:
        raise NotSupported(*feeding.why_not(session))
    else:
        program.write(text.encode("utf-8", "surrogateescape"))
        if close:
            program.close_input()
    return {"sessionId": session.id, "state": session.state, "sent": len(text), "closed": close or None}
