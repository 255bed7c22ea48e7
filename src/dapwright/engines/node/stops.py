"""What V8's `paused` means: a stop to tell, or something to pass over.

A step's end and a breakpoint have the same reason for V8 (`other`), so what we asked last decides.
Node's own code, packages and code that maps to nothing are stepped through here rather than hidden
from V8 (`setBlackboxPatterns`), because V8 does not stop for what hidden code throws.
"""

from typing import Any

from dapwright.engines.node import binding, exceptions, leaving
from dapwright.engines.node.frames import frame_of, note_top
from dapwright.engines.node.scripts import PRELOAD
from dapwright.engines.node.target import Json, Step, Stop, Target

PATIENCE = 300
"""How many steps in a row one step may cost before it ends where it is, or, in Node's own code, runs on."""
LONG_PATIENCE = 3000
"""The same for a pause, which must find the program's next code through all of Node's between."""


async def paused(target: Target, params: Json) -> None:
    """Take a `Debugger.paused`: tell the stop, or go on."""
    if target.session.tracing is not None and await target.session.tracing.took(target, params):
        return
    step, target.step = target.step, None
    target.top_call = params["callFrames"][0]["callFrameId"] if params["callFrames"] else ""
    if await leaving.pass_return(target, params, step):
        return
    note_top(target, params)
    if target.blackboxed:
        target.blackboxed = False
        target.inspector.start("Debugger.setBlackboxPatterns", patterns=[])
    stop = await _judge(target, params, step)
    if stop is None:
        target.inspector.start("Debugger.resume")
    elif isinstance(stop, Step):
        target.step = stop
        _step_on(target, stop)
    else:
        tell(target, stop)


def tell(target: Target, stop: Stop) -> None:
    """The isolate stands: send `stopped`."""
    target.stop = stop
    body: dict[str, Any] = {"reason": stop.reason, "threadId": target.thread, "allThreadsStopped": False}
    for key, value in (("description", stop.description), ("text", stop.text), ("hitBreakpointIds", stop.hit_ids)):
        if value:
            body[key] = value
    body |= leaving.told(target, stop)
    target.session.server.event("stopped", body)


async def _judge(target: Target, params: Json, step: Step | None) -> "Stop | Step | None":
    reason = params["reason"]
    cells = [target.bound[b] for b in params.get("hitBreakpoints") or [] if b in target.bound]
    if not cells and params.get("hitBreakpoints") and reason == "other":
        return step  # a breakpoint that was removed while V8 stopped for it
    top = target.scripts.get(params["callFrames"][0]["location"]["scriptId"])
    if top is not None and top.path == PRELOAD:
        await binding.loading(target, params["callFrames"][0]["callFrameId"])
        return step
    if reason == "instrumentation":
        await binding.bind(target)
        return step
    if target.top_skipped and target.caller_skipped and cells and all(c.kind == "call" for c in cells):
        return step  # Node calls its own function: nobody asked for that
    astray = [e for c in cells for e in await binding.straighten(target, c)]
    fired, target.fired = target.fired, set()
    ids = [e.id for c in cells for e in binding.fired(c, fired) if e not in astray]
    if any(c.kind == "load" for c in cells):
        await binding.bind(target)
        ids += [e.id for e in await binding.arrived(target, params["callFrames"][0]["location"])]
    if reason in ("exception", "promiseRejection"):
        return await _exception(target, params, step)
    if any(c.kind == "entry" for c in cells):
        target.session.entry_file = ""
        await binding.bind(target)
        return _stop(params, "entry", ids)
    if ids:
        function = all(e.function for c in cells for e in binding.fired(c, fired))
        return _stop(params, "function breakpoint" if function and cells else "breakpoint", ids)
    if cells and step is None:
        return None
    return _uninvited(target, params, step)


def _uninvited(target: Target, params: Json, step: Step | None) -> "Stop | Step | None":
    """No breakpoint of ours: a step's or a pause's end, the start, or a `debugger` statement."""
    if params["reason"] == "Break on start":
        return _stop(params, "entry", []) if target.session.stop_on_entry else None
    if step is None:
        if params["reason"] == "OOM":
            return _stop(params, "exception", [], "the program is about to run out of memory")
        return _stop(params, "breakpoint", [], "a `debugger` statement")
    if step.command in ("pause", "entry"):
        return step if target.top_skipped and step.tries < LONG_PATIENCE else _stop(params, step.command, [])
    if step.tries > PATIENCE and target.top_skipped and not target.user_below:
        return None
    return _stop(params, "step", []) if _is_over(target, params, step) else step


def _stop(params: Json, reason: str, ids: list[int], description: str = "") -> Stop:
    return Stop(reason, params["callFrames"], params.get("asyncStackTrace"), params.get("data") or {}, ids, description)


async def _exception(target: Target, params: Json, step: Step | None) -> "Stop | Step | None":
    met = await exceptions.judged(target, params)
    if met is None:
        return step
    stop = _stop(params, "exception", [])
    stop.break_mode = met
    stop.text = exceptions.headline(stop.data)
    stop.description = (
        "a promise rejection that nothing handles so far" if params["reason"] == "promiseRejection" else ""
    )
    return stop


def _is_over(target: Target, params: Json, step: Step) -> bool:
    frames = params["callFrames"]
    top = frame_of(target, frames[0])
    if step.tries > PATIENCE or step.command == "restart":
        return True
    if step.deeper:
        return len(frames) < step.depth
    if step.call is not None and len(frames) > step.depth:
        caller = frames[1]["location"]
        return (caller["lineNumber"], caller.get("columnNumber", 0)) == step.call
    if step.call is not None and len(frames) == step.depth and frames[0]["location"]["lineNumber"] == step.call[0]:
        return False
    if top.skipped:
        return False
    if top.at is None:
        return False
    mapped = top.script is not None and bool(top.script.map_url) and top.script.map() is not None
    same = step.where == (top.at.path, top.at.line) and step.depth == len(frames)
    return not (mapped and same and step.command != "stepOut")


def _step_on(target: Target, step: Step) -> None:
    """One more step on the way: out of skipped code where the user's waits below, else along."""
    step.tries += 1
    command = "stepInto" if step.call else step.command
    if step.deeper or (step.call is not None and target.depth > step.depth):
        command = "stepOut"
    elif target.top_skipped:
        command = "stepOut"
        if not target.user_below:
            command = "stepInto"
            hide(target)
    elif command == "stepOut":
        command = "stepOver"
    elif command == "stepInto":
        hide(target)
    target.inspector.start(f"Debugger.{command}")


def hide(target: Target) -> None:
    """Have V8 pass through what is not the user's until the next pause. For steps alone: a `pause` gets lost in it."""
    target.blackboxed = True
    target.inspector.start("Debugger.setBlackboxPatterns", patterns=target.session.skipping.patterns())
