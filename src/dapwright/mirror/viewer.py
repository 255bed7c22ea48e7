"""What an IDE may ask of a session that it watches: looking, and evaluating where the person allows it."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from dapwright.core.errors import DapwrightError, NotAllowed, NotSupported
from dapwright.core.model import Raw, Variable
from dapwright.engines.dapserver import Reply, Requests, Server
from dapwright.session import Session, looking, paging, showing, values
from dapwright.session.connection import FRAMES, Stop
from dapwright.session.running import standing

if TYPE_CHECKING:
    from dapwright.mirror.endpoint import Endpoint

Arguments = dict[str, Any]
EVALUATE_SECONDS = 10.0
OPEN_TO_ALL = frozenset({"attach", "disconnect"})
MOVING = (
    *("launch", "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "pause", "goto"),
    *("restart", "restartFrame", "terminate", "terminateThreads", "setVariable", "setExpression", "writeMemory"),
    *("setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints", "setInstructionBreakpoints"),
)


class Viewer:
    """One IDE. It sees nothing before it has shown the token."""

    def __init__(self, server: "Server[Viewer]", endpoint: "Endpoint") -> None:
        self.server = server
        self.endpoint = endpoint
        self.session: Session = endpoint.session
        self.let_in = False
        self.configured = False
        self._seen: tuple[str, int] = ("", 0)

    async def close(self) -> None:
        """Nothing of the session depends on a viewer."""

    def hurry(self) -> None:
        """Hang up on one who has not shown the token by now."""
        if not self.let_in:
            self.server.end()

    def look(self) -> None:
        """Tell the IDE where the program is, if that has changed."""
        if not self.configured:
            return
        stop = self.session.stop
        seen = (self.session.state, stop.number if stop is not None and self.session.state == "paused" else 0)
        before, self._seen = self._seen, seen
        if seen == before:
            return
        if self.session.state == "paused" and stop is not None:
            self.server.event("stopped", self._stopped(stop))
        elif before[0] == "paused" and self.session.state == "running":
            self.server.event("continued", {"threadId": 1, "allThreadsContinued": True})

    def _stopped(self, stop: Stop) -> dict[str, Any]:
        body = {"reason": stop.reason, "allThreadsStopped": stop.all_threads, "preserveFocusHint": False}
        if stop.thread is not None:
            body["threadId"] = looking.show_thread(self.session, stop.connection, stop.thread)
        return body


REQUESTS: Requests[Viewer] = Requests()
Verb = Callable[[Viewer, Arguments], Awaitable[Any]]


def request(command: str, *, capabilities: tuple[str, ...] = (), concurrent: bool = False) -> Callable[[Verb], Verb]:
    """Register what is served, behind the token."""

    def register(verb: Verb) -> Verb:
        async def guarded(viewer: Viewer, arguments: Arguments) -> Any:
            if not viewer.let_in and command not in OPEN_TO_ALL:
                raise NotAllowed("attach with `mirrorToken` first")
            return await verb(viewer, arguments)

        REQUESTS.on(command, dict, capabilities=capabilities, concurrent=concurrent)(guarded)
        return verb

    return register


def _refuse(command: str) -> None:
    @request(command)
    async def refuse(viewer: Viewer, arguments: Arguments) -> None:
        raise NotSupported(f"`{command}`: this endpoint shows the session and moves nothing; its owner does")


for _command in MOVING:
    _refuse(_command)


@request("attach")
async def attach(viewer: Viewer, arguments: Arguments) -> Reply:
    """Let a viewer in that has the token; hang up on any other."""
    given = str(arguments.get("mirrorToken") or "")
    if not hmac.compare_digest(given.encode(), viewer.endpoint.token.encode()):
        asyncio.get_running_loop().call_soon(viewer.server.end)
        raise NotAllowed("`mirrorToken` is missing or wrong")
    viewer.let_in = True
    return Reply({}, lambda: viewer.server.event("initialized"))


@request("configurationDone", capabilities=("supportsConfigurationDoneRequest",))
async def configuration_done(viewer: Viewer, arguments: Arguments) -> Reply:
    """A late viewer lands on the paused frame."""
    viewer.configured = True
    return Reply({}, viewer.look)


@request("setExceptionBreakpoints")
async def set_exception_breakpoints(viewer: Viewer, arguments: Arguments) -> None:
    """IDEs send it without being asked; there is no filter to set."""
    if arguments.get("filters"):
        raise NotSupported("`setExceptionBreakpoints`: this endpoint shows the session and changes nothing")


@request("disconnect")
async def disconnect(viewer: Viewer, arguments: Arguments) -> Reply:
    """The viewer goes; the session does not, whatever it asked for."""
    return Reply({}, viewer.server.end)


@request("threads")
async def threads(viewer: Viewer, arguments: Arguments) -> dict[str, Any]:
    """The threads of all processes."""
    session = viewer.session
    rows = [
        {"id": looking.show_thread(session, connection, thread.id), "name": thread.name}
        for connection, thread in await looking.threads(session)
    ]
    return {"threads": rows}


@request("stackTrace", capabilities=("supportsDelayedStackTraceLoading",))
async def stack_trace(viewer: Viewer, arguments: Arguments) -> dict[str, Any]:
    """A paused thread's frames, as the agent sees them."""
    session = viewer.session
    stop = standing(session, int(arguments.get("threadId") or 0))
    start, levels = int(arguments.get("startFrame") or 0), int(arguments.get("levels") or FRAMES)
    seen = await looking.stack(session, stop, levels=start + levels)
    rows = []
    for frame in seen.frames[start : start + levels]:
        row = {"id": looking.show_frame(session, stop, frame), "name": showing.plain_name(frame.name)}
        row |= {"line": frame.line, "column": frame.column or 1}
        rows.append(
            {**row, "source": {"path": frame.file, "name": frame.file.rsplit("/", 1)[-1]}} if frame.file else row
        )
    return {"stackFrames": rows, "totalFrames": len(seen.frames)}


@request("scopes")
async def scopes(viewer: Viewer, arguments: Arguments) -> dict[str, Any]:
    """A frame's scopes."""
    session = viewer.session
    shown = int(arguments.get("frameId") or 0)
    connection, frame, _ = looking.find_frame(session, shown)
    rows = []
    for scope in await looking.scopes(connection, frame):
        as_variable = Variable(scope.name, Raw(""), reference=scope.variables_reference)
        reference = looking.show_variables(session, connection, as_variable, shown)
        rows.append({"name": scope.name, "variablesReference": reference, "expensive": bool(scope.expensive)})
    return {"scopes": rows}


@request("variables")
async def variables(viewer: Viewer, arguments: Arguments) -> dict[str, Any]:
    """What is in a scope or a value, without secrets."""
    session = viewer.session
    target = session.handles.find("variables", int(arguments.get("variablesReference") or 0), session.epochs)
    page = await paging.page_of(
        session,
        target,
        start=arguments.get("start"),
        count=arguments.get("count"),
        only=arguments.get("filter"),
        seconds=looking.LOOK_SECONDS,
    )
    connection = looking.connection_of(session, target)
    rows = [showing.variable_row(session, connection, one, frame=target.frame) for one in page.variables]
    return {"variables": [{"variablesReference": 0, **row} for row in rows]}


@request("evaluate", capabilities=("supportsEvaluateForHovers",), concurrent=True)
async def evaluate(viewer: Viewer, arguments: Arguments) -> dict[str, Any]:
    """Evaluate in a frame, where the person left that on."""
    if not viewer.endpoint.evaluates:
        raise NotAllowed("evaluating is switched off here (`DAPWRIGHT_MIRROR_EVALUATE=0`)")
    session, expression = viewer.session, values.refuse_empty(str(arguments.get("expression") or ""))
    await viewer.endpoint.judge(expression)
    shown = int(arguments.get("frameId") or 0)
    connection, frame, _ = looking.find_frame(session, shown)
    body = await values.evaluate(session, connection, frame, expression, seconds=EVALUATE_SECONDS)
    told = Variable(expression, Raw(body.result), body.type or "", body.variables_reference, expression)
    row: Mapping[str, Any] = showing.variable_row(session, connection, told, frame=shown)
    kind = {"type": row["type"]} if "type" in row else {}
    return {"result": row["value"], "variablesReference": row.get("variablesReference", 0), **kind}


@request("exceptionInfo", capabilities=("supportsExceptionInfoRequest",))
async def exception_info(viewer: Viewer, arguments: Arguments) -> dict[str, Any]:
    """What a thread was stopped by."""
    info = await looking.exception_info(standing(viewer.session, int(arguments.get("threadId") or 0)))
    if info is None:
        raise DapwrightError("no exception is known of this stop")
    return {"exceptionId": info.exception_id, "description": info.description, "breakMode": info.break_mode}
