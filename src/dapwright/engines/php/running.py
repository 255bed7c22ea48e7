"""Going on and standing still."""

import xml.etree.ElementTree as ET
from typing import Any

from dapwright.core.errors import DapwrightError, NotSupported
from dapwright.engines.dapserver import Answer, Reply
from dapwright.engines.php import breaking, catching
from dapwright.engines.php.dbgp import NAMES, text_of
from dapwright.engines.php.session import FEATURES, REQUESTS, Arguments, Session, Thread

LESSER = frozenset({"Warning", "Notice", "Deprecated", "Strict standards", "Parse error"})
"""What Xdebug also calls exceptions: messages of PHP that end nothing (or that no code can stand at)."""


async def greet(session: Session, thread: Thread) -> None:
    """Prepare a PHP request that has connected, and let it go."""
    for name, value in FEATURES.items():
        try:
            await thread.connection.send("feature_set", "-n", name, "-v", value)
        except DapwrightError:
            continue  # an older Xdebug does without
    if not session.once:
        for stream in ("stdout", "stderr"):
            await thread.connection.send(stream, "-c", "1")
    for wanted in list(session.breakpoints.values()):
        try:
            await breaking.plant(session, thread, wanted)
        except DapwrightError as refused:
            told = {"id": wanted.id, "verified": False, "message": str(refused)}
            session.server.event("breakpoint", {"reason": "changed", "breakpoint": told})
    await breaking.catch(session, thread)
    thread.ready = True
    go(session, thread, "step_into" if session.entry else "run", reason="entry" if session.entry else "breakpoint")


def go(session: Session, thread: Thread, command: str, *, reason: str) -> None:
    """Let a request go on; its next stop is told when it comes, with `reason` where nothing else is known."""
    thread.running = True
    thread.exception = None
    session.held = {number: held for number, held in session.held.items() if held.thread is not thread}
    session.start(_await_stop(session, thread, command, reason))


async def _await_stop(session: Session, thread: Thread, command: str, reason: str) -> None:
    told = await thread.connection.send(command)
    if told.get("status") == "break":
        await _stand(session, thread, told, reason)
    elif told.get("status") == "stopping":  # the script is over; PHP's own end follows
        await thread.connection.send("run")


async def _stand(session: Session, thread: Thread, told: ET.Element, reason: str) -> None:
    thread.running = False
    thread.stop += 1
    message = told.find("x:message", NAMES)
    name = message.get("exception", "") if message is not None else ""
    body: dict[str, Any] = {"reason": reason, "threadId": thread.id, "allThreadsStopped": False}
    if name:
        text = text_of(message) if message is not None else ""
        told_before = name == "Fatal error" and "Uncaught " in text[:40]
        if told_before or name in LESSER or not await catching.wanted(session, thread, name):
            go(session, thread, "run", reason="breakpoint")
            return
        thread.exception = (name, text)
        body |= {"reason": "exception", "description": name, "text": text}
    session.server.event("stopped", body)


@REQUESTS.on("configurationDone", dict, capabilities=("supportsConfigurationDoneRequest",))
async def configuration_done(session: Session, ask: Arguments) -> Answer | Reply:
    """Let what has come go on, and whatever comes from here on."""
    session.configured = True
    session.greet = greet

    def begin() -> None:
        for thread in session.threads.values():
            session.start(greet(session, thread))

    return Reply({}, begin)


def _resume(session: Session, ask: Arguments, command: str, reason: str) -> Reply:
    thread = session.thread(int(ask["threadId"]))
    return Reply({"allThreadsContinued": False}, lambda: go(session, thread, command, reason=reason))


@REQUESTS.on("continue", dict)
async def go_on(session: Session, ask: Arguments) -> Reply:
    """Run to the next breakpoint."""
    return _resume(session, ask, "run", "breakpoint")


@REQUESTS.on("next", dict)
async def step_over(session: Session, ask: Arguments) -> Reply:
    """Step to the next line of this function, or its caller's."""
    return _resume(session, ask, "step_over", "step")


@REQUESTS.on("stepIn", dict)
async def step_into(session: Session, ask: Arguments) -> Reply:
    """Step to the next line, wherever it is."""
    return _resume(session, ask, "step_into", "step")


@REQUESTS.on("stepOut", dict)
async def step_out(session: Session, ask: Arguments) -> Reply:
    """Step out of this function."""
    return _resume(session, ask, "step_out", "step")


@REQUESTS.on("pause", dict, concurrent=True)
async def pause(session: Session, ask: Arguments) -> Answer:
    """Xdebug reads no command while PHP runs (`supports_async` is 0 in 3.2)."""
    raise NotSupported(
        "PHP cannot be paused while it runs: Xdebug listens only when it stands at a breakpoint",
        "set a breakpoint on a line that will run, and restart",
    )


@REQUESTS.on("threads", dict)
async def threads(session: Session, ask: Arguments) -> Answer:
    """The PHP requests that run or stand."""
    return {"threads": [{"id": thread.id, "name": thread.name} for thread in session.threads.values()]}


@REQUESTS.on("exceptionInfo", dict, capabilities=("supportsExceptionInfoRequest",))
async def exception_info(session: Session, ask: Arguments) -> Answer:
    """What a request stands at."""
    thread = session.thread(int(ask["threadId"]))
    if thread.exception is None:
        raise NotSupported("this PHP request does not stand at an exception")
    name, text = thread.exception
    mode = "unhandled" if session.filters == ("uncaught",) else "always"
    return {"exceptionId": name, "description": text, "breakMode": mode}
