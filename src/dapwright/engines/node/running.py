"""Running on, stepping, pausing."""

from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import AdapterError, UsageError, WrongState
from dapwright.engines.dapserver import Reply
from dapwright.engines.node import leaving, stops
from dapwright.engines.node.frames import frame_of
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Step, Target


class Move(msgspec.Struct, rename="camel"):
    thread_id: int
    target_id: int | None = None
    single_thread: bool | None = None


@REQUESTS.on("continue", Move)
async def resume(session: Session, ask: Move) -> Reply:
    """Let a thread run."""
    target = session.thread(ask.thread_id)
    target.standing()
    return Reply({"allThreadsContinued": False}, lambda: target.go("Debugger.resume"))


@REQUESTS.on("next", Move)
async def over(session: Session, ask: Move) -> Reply:
    """Run to the next line of this function, or to its caller."""
    return await _step(session, ask, "stepOver")


@REQUESTS.on("stepOut", Move)
async def out(session: Session, ask: Move) -> Reply:
    """Run until this function returns; the stop tells what it returned."""
    await leaving.watch_returns(session.thread(ask.thread_id))
    return await _step(session, ask, "stepOut")


@REQUESTS.on("stepIn", Move)
async def into(session: Session, ask: Move) -> Reply:
    """Run into the next call, or into the one chosen of `stepInTargets`."""
    target = session.thread(ask.thread_id)
    if ask.target_id is None:
        return await _step(session, ask, "stepInto")
    location = target.calls.get(ask.target_id)
    if location is None:
        raise UsageError(f"there is no call {ask.target_id} at this stop", "ask for `stepInTargets` again")
    return await _into_call(target, location)


async def _step(session: Session, ask: Move, command: str) -> Reply:
    target = session.thread(ask.thread_id)
    if target.stop is not None:
        await leaving.keep(target, target.stop.call_frames[0])
    return Reply({}, lambda: begin(target, command))


def begin(target: Target, command: str) -> None:
    """Begin a step from the stop; its end is a `stopped` event."""
    stop = target.standing()
    top = frame_of(target, stop.call_frames[0])
    where = (top.at.path, top.at.line) if top.at else None
    target.step = Step(command, where, len(stop.call_frames))
    if command == "stepInto":
        stops.hide(target)
    target.go(f"Debugger.{command}")


async def _into_call(target: Target, location: dict[str, Any]) -> Reply:
    """Step in, and out again of every call before the chosen one (stops.py): a caller's place tells which it was."""
    stop = target.standing()

    def go() -> None:
        step = Step("enter", None, len(stop.call_frames), call=(location["lineNumber"], location["columnNumber"]))
        target.step = step
        stops.hide(target)
        target.go("Debugger.stepInto")

    return Reply({}, go)


class Pause(msgspec.Struct, rename="camel"):
    thread_id: int


@REQUESTS.on("pause", Pause, concurrent=True)
async def pause(session: Session, ask: Pause) -> Mapping[str, Any]:
    """Stop a running thread at its next statement: an idle one stops when its next callback runs."""
    target = session.thread(ask.thread_id)
    if target.stop is not None:
        raise WrongState(f"`{target.name}` stands already", "look at its stack")
    target.step = Step("pause")
    await target.inspector.ask("Debugger.pause")
    return {}


class StepInTargets(msgspec.Struct, rename="camel"):
    frame_id: int


@REQUESTS.on("stepInTargets", StepInTargets, capabilities=("supportsStepInTargetsRequest",))
async def step_in_targets(session: Session, ask: StepInTargets) -> Mapping[str, Any]:
    """The calls that the rest of this line makes, by V8's own table."""
    target, frame = session.frame(ask.frame_id)
    if frame.call is None or target.standing().call_frames[0]["callFrameId"] != frame.call["callFrameId"]:
        return {"targets": []}
    at = frame.call["location"]
    found = await target.inspector.ask(
        "Debugger.getPossibleBreakpoints",
        start=at,
        end={"scriptId": at["scriptId"], "lineNumber": at["lineNumber"] + 1, "columnNumber": 0},
        restrictToFunction=True,
    )
    source = await target.inspector.ask("Debugger.getScriptSource", scriptId=at["scriptId"])
    line = source["scriptSource"].split("\n")[at["lineNumber"]]
    target.calls = {}
    told = []
    for location in found["locations"]:
        if location.get("type") != "call":
            continue
        number = len(target.calls) + 1
        target.calls[number] = {k: location[k] for k in ("scriptId", "lineNumber", "columnNumber")}
        label = line[location["columnNumber"] :].partition("(")[0].strip() or "call"
        told.append({"id": number, "label": f"{label}(…)", "line": frame.at.line + 1 if frame.at else 0})
    return {"targets": told}


class RestartFrame(msgspec.Struct, rename="camel"):
    frame_id: int


@REQUESTS.on("restartFrame", RestartFrame, capabilities=("supportsRestartFrame",))
async def restart_frame(session: Session, ask: RestartFrame) -> Reply:
    """Begin a function again with its arguments as they are now."""
    target, frame = session.frame(ask.frame_id)
    if frame.call is None or not frame.call.get("canBeRestarted"):
        raise AdapterError("V8 cannot restart this frame (a module's top level, a generator, or one that awaited)")
    call = frame.call["callFrameId"]

    def go() -> None:
        target.step = Step("restart")
        target.go("Debugger.restartFrame", callFrameId=call, mode="StepInto")

    return Reply({}, go)
