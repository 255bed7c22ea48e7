"""What a function returned, told where a step has left it.

V8 knows the value only while it stands at the function's end, which a step out passes. So a step
out stops at the returns of the function on its way, and what V8 tells there is kept for the stop
that follows in the caller. Calls of the same function further in are left by the same way.
"""

from dapwright.core.errors import DapwrightError
from dapwright.engines.node import values
from dapwright.engines.node.target import Json, Step, Stop, Target


async def watch_returns(target: Target) -> None:
    """Before a step out: have V8 stop at the returns of the function that stands on top."""
    call = target.standing().call_frames[0]
    scope: Json = next((s for s in call["scopeChain"] if s["type"] == "local"), {})
    start, end = scope.get("startLocation"), scope.get("endLocation")
    if not start or not end or call.get("returnValue"):
        return
    try:
        found = await target.inspector.ask(
            "Debugger.getPossibleBreakpoints", start=start, end=end, restrictToFunction=True
        )
    except DapwrightError:
        return
    for at in found["locations"]:
        if at.pop("type", "") == "return":
            await _watch(target, at)


async def _watch(target: Target, at: Json) -> None:
    try:
        done = await target.inspector.ask("Debugger.setBreakpoint", location=at)
    except DapwrightError:
        return  # V8 keeps one breakpoint a place, and another that stands there stops all the same
    target.exits.add(done["breakpointId"])


async def pass_return(target: Target, params: Json, step: Step | None) -> bool:
    """Take a pause at a return that a step out watches: keep the value and go on; return whether it was one."""
    hit = set(params.get("hitBreakpoints") or ())
    if step is None or not hit or not hit <= target.exits:
        return False
    step.deeper = len(params["callFrames"]) > step.depth
    if not step.deeper:
        await keep(target, params["callFrames"][0])
    target.step = step
    target.inspector.start("Debugger.stepOut")
    return True


async def keep(target: Target, call: Json) -> None:
    """Keep what V8 says a function returns, with a preview of what an object holds."""
    returned = call.get("returnValue")
    if returned and "objectId" in returned:
        try:
            answer = await target.inspector.ask(
                "Runtime.callFunctionOn",
                objectId=returned["objectId"],
                functionDeclaration="function(){return this}",
                generatePreview=True,
                silent=True,
            )
            returned = answer["result"]
        except DapwrightError:
            pass
    target.returned = returned


def told(target: Target, stop: Stop) -> Json:
    """The stop is told: what was returned, where a step has just left a function. Its watch ends."""
    for number in target.exits:
        target.inspector.start("Debugger.removeBreakpoint", breakpointId=number)
    target.exits.clear()
    returned, target.returned = target.returned, None
    if returned is None or stop.reason != "step":
        return {}
    return {"returnValue": {"value": values.render(returned), "type": values.type_name(returned)}}
