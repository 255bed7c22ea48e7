"""Frames and scopes as a person thinks of them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import UsageError
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.scripts import Position
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Frame, Held, Json, Stop, Target

WRAPPER = frozenset({"exports", "require", "module", "__filename", "__dirname"})
"""What Node hands to each CommonJS module: no variables of the user's."""


def frame_of(target: Target, call: Json) -> Frame:
    """Read one of V8's frames."""
    script, line, column = target.place(call["location"])
    at = target.position(script, line, _before_return(call, column))
    skipped = target.session.skipping.skips(script.url if script else "", at.path if at else "")
    return Frame(call, _name(call, at), script, line, column, at, skipped)


def _before_return(call: Json, column: int) -> int:
    """V8 stands behind `return x`, at the function's own `}` where a minifier left nothing between."""
    scope: Json = next((s for s in call["scopeChain"] if s["type"] == "local"), {})
    end, here = scope.get("endLocation") or {}, call["location"]
    at_end = (end.get("lineNumber"), end.get("columnNumber")) == (here["lineNumber"], column + 1)
    begin = scope.get("startLocation") or {}
    same_line = begin.get("lineNumber") == here["lineNumber"]
    return column - 1 if at_end and same_line and column > 0 else column


def note_top(target: Target, params: Json) -> None:
    """Remember what a step needs to know of a pause."""
    frames = [frame_of(target, call) for call in params["callFrames"]]
    target.top_skipped = bool(frames) and frames[0].skipped
    target.depth = len(frames)
    if frames and frames[0].script is not None:
        target.context = frames[0].script.context or target.context
    target.caller_skipped = len(frames) < 2 or frames[1].skipped
    target.user_below = any(not f.skipped for f in frames[1:])


def _name(call: Json, at: Position | None) -> str:
    name: str = call["functionName"]
    if at is not None and at.name and name and len(name) <= 2:
        return name
    if name:
        return name
    begin = call.get("functionLocation") or {}
    return "<module>" if not begin.get("lineNumber") and not begin.get("columnNumber") else "<anonymous>"


def all_frames(target: Target, stop: Stop) -> list[tuple[int, Frame]]:
    """Return the stop's frames with their numbers; awaited callers follow under a label."""
    if stop.frames is None:
        frames = [frame_of(target, call) for call in stop.call_frames]
        trace = stop.async_trace
        while trace:
            called = [_async_frame(target, call) for call in trace["callFrames"]]
            if any(not f.skipped for f in called):
                label = Frame(None, trace.get("description") or "async", None, 0, 0, None, False, label=True)
                frames += [label, *called]
            trace = trace.get("parent")
        stop.frames = [(target.frames.add(frame), frame) for frame in frames]
    return stop.frames


def _async_frame(target: Target, call: Json) -> Frame:
    location = {"scriptId": call["scriptId"], "lineNumber": call["lineNumber"], "columnNumber": call["columnNumber"]}
    script, line, column = target.place(location)
    at = target.position(script, line, column)
    skipped = target.session.skipping.skips(call["url"], at.path if at else "")
    return Frame(None, call["functionName"] or "<anonymous>", script, line, column, at, skipped)


class StackTrace(msgspec.Struct, rename="camel"):
    thread_id: int
    start_frame: int | None = None
    levels: int | None = None


@REQUESTS.on("stackTrace", StackTrace, capabilities=("supportsDelayedStackTraceLoading",))
async def stack_trace(session: Session, ask: StackTrace) -> Mapping[str, Any]:
    """The frames, innermost first; what is not the user's is `subtle`."""
    target = session.thread(ask.thread_id)
    frames = all_frames(target, target.standing())
    start = ask.start_frame or 0
    page = frames[start : start + ask.levels] if ask.levels else frames[start:]
    return {"stackFrames": [_told(session, target, *f) for f in page], "totalFrames": len(frames)}


def _told(session: Session, target: Target, number: int, frame: Frame) -> Json:
    if frame.label:
        return {"id": number, "name": frame.name, "line": 0, "column": 0, "presentationHint": "label"}
    at = frame.at or Position(frame.script.path if frame.script else "", frame.line, frame.column)
    body: Json = {"id": number, "name": frame.name, "line": at.line + 1, "column": at.column + 1}
    if frame.script is not None:
        body["source"] = session.source_of(target, frame.script, at)
    if frame.skipped:
        body["presentationHint"] = "subtle"
        body.get("source", {})["presentationHint"] = "deemphasize"
    if frame.call is not None and frame.call.get("canBeRestarted"):
        body["canRestart"] = True
    return body


class Scopes(msgspec.Struct, rename="camel"):
    frame_id: int


@REQUESTS.on("scopes", Scopes)
async def scopes(session: Session, ask: Scopes) -> Mapping[str, Any]:
    """Local (blocks merged, innermost first), closures, the module; the global object last and expensive."""
    target, frame = session.frame(ask.frame_id)
    if frame.call is None:
        raise UsageError("an awaited caller has no variables any more", "take a frame above the first `async` label")
    return {"scopes": list(_scopes(target, frame, ask.frame_id))}


def _scopes(target: Target, frame: Frame, number: int) -> list[Json]:
    assert frame.call
    chain = frame.call["scopeChain"]
    ends = [i for i, s in enumerate(chain) if s["type"] in ("local", "module", "script", "eval")]
    inner = ends[0] if ends else -1
    wrapper = _is_wrapper(chain, inner)
    local = Held("", "", "scope", frame=number, parts=[_part(chain, i) for i in range(inner + 1)])
    local.extra = _extra(frame.call)
    local.hidden = WRAPPER if wrapper else frozenset()
    if wrapper:
        local.extra = [e for e in local.extra if e[0] != "this"]  # `module.exports`, which nobody calls `this`
    told = [_scope(target, "Local", local, hint="locals")]
    for i in range(inner + 1, len(chain)):
        kind = chain[i]["type"]
        if kind in ("block", "catch", "with"):
            kind = "closure"
        name = {"closure": "Closure", "module": "Module", "script": "Script", "global": "Global"}.get(
            kind, kind.title()
        )
        if kind == "closure" and _is_wrapper(chain, i):
            name = "Module"
        elif chain[i].get("name") and kind == "closure":
            name = f"{name} ({chain[i]['name']})"
        held = Held("", "", "scope", frame=number, parts=[_part(chain, i)])
        held.hidden = WRAPPER if name == "Module" else frozenset()
        told.append(_scope(target, name, held, expensive=kind == "global"))
    if wrapper:
        held = Held("", "", "scope", frame=number, parts=local.parts[-1:], only=WRAPPER)
        told.insert(1, _scope(target, "CommonJS", held))
    return told


def _part(chain: list[Json], at: int) -> tuple[int, str]:
    return at, chain[at]["object"]["objectId"]


def _is_wrapper(chain: list[Json], at: int) -> bool:
    """The function that Node wraps a CommonJS module in: nameless, at the script's beginning, outermost."""
    if at < 0 or chain[at]["type"] not in ("local", "closure") or chain[at].get("name"):
        return False
    begin = chain[at].get("startLocation") or {}
    outermost = all(s["type"] in ("script", "global") for s in chain[at + 1 :])
    return outermost and not begin.get("lineNumber") and not begin.get("columnNumber")


def _extra(call: Json) -> list[tuple[str, Json]]:
    this, returned = call.get("this") or {}, call.get("returnValue")
    extra = [("this", this)] if this.get("type") != "undefined" and this.get("className") != "global" else []
    return extra + ([("Return value", returned)] if returned else [])


def _scope(target: Target, name: str, held: Held, *, hint: str = "", expensive: bool = False) -> Json:
    body: Json = {"name": name, "variablesReference": target.objects.add(held), "expensive": expensive}
    return body | ({"presentationHint": hint} if hint else {})


class RestartFrame(msgspec.Struct, rename="camel"):
    frame_id: int
