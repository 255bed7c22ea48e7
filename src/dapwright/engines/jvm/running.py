"""Requests that move the program."""

from dapwright.core.errors import UsageError
from dapwright.engines.jvm import stepping
from dapwright.engines.jvm.breakpoints import policy_of
from dapwright.engines.jvm.codes import Policy
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.stops import Stop


@REQUESTS.on("continue", dict)
async def go_on(session: Session, arguments: Body) -> Body:
    """Let what was told run on: every thread, or the one that stood alone."""
    jvm = session.live
    thread = session.thread_of(int(arguments["threadId"])) if arguments.get("threadId") else None
    if not jvm.stops.held_all and (thread is None or thread not in jvm.stops.held):
        if len(jvm.stops.held) != 1:
            raise UsageError("that thread is running already", "pause it, or wait for a stop")
        thread = next(iter(jvm.stops.held))
    return {"allThreadsContinued": await session.go_on(thread)}


@REQUESTS.on("next", dict)
async def step_over(session: Session, arguments: Body) -> Body:
    """Run to the next line of the function, or of its caller."""
    return await _step(session, arguments, stepping.OVER)


@REQUESTS.on("stepIn", dict)
async def step_in(session: Session, arguments: Body) -> Body:
    """Enter the function that the line calls; platform code is passed through."""
    return await _step(session, arguments, stepping.INTO)


@REQUESTS.on("stepOut", dict)
async def step_out(session: Session, arguments: Body) -> Body:
    """Run until the function returns; the stop tells what it returned."""
    return await _step(session, arguments, stepping.OUT)


@REQUESTS.on("pause", dict, concurrent=True)
async def pause(session: Session, arguments: Body) -> Body:
    """Suspend every thread; `main` is told, unless another is named."""
    jvm = session.live
    thread = (
        session.thread_of(int(arguments["threadId"])) if arguments.get("threadId") else await jvm.machine.main_thread()
    )
    await jvm.stops.pause(Stop("pause", thread))
    return {}


@REQUESTS.on("restartFrame", dict, capabilities=("supportsRestartFrame",))
async def restart_frame(session: Session, arguments: Body) -> Body:
    """Drop frames down to one and stand at the call that made it; what the code changed stays changed."""
    handle = session.frames.take(int(arguments.get("frameId") or 0))
    jvm = session.live
    await jvm.steps.pop(handle.thread, handle.depth)
    session.frames.drop(handle.thread)
    session.references.drop(handle.thread)
    await jvm.steps.begin(handle.thread, stepping.INTO, policy=_usual(session, handle.thread), own_code=False)
    await session.go_on(handle.thread)
    return {}


def _usual(session: Session, thread: int) -> Policy:
    """A thread that stands alone steps alone."""
    return Policy.ALL if session.live.stops.held_all else Policy.THREAD


async def _step(session: Session, arguments: Body, depth: int) -> Body:
    thread = session.standing(int(arguments.get("threadId") or 0))
    jvm = session.live
    policy = policy_of(arguments) if arguments.get("suspendPolicy") else _usual(session, thread)
    size = 0 if arguments.get("granularity") == "instruction" else 1
    own_code = session.arguments.get("justMyCode", True) is not False
    await jvm.steps.begin(thread, depth, policy=policy, own_code=own_code, size=size)
    await session.go_on(thread)
    return {}
