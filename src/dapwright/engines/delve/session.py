"""One traced Go program, from its launch to its end."""

import asyncio
from typing import TYPE_CHECKING, Any

from dapwright.core.errors import DapwrightError, WrongState
from dapwright.engines.dapserver import Reply, Requests, Server
from dapwright.engines.delve.api import Delve

if TYPE_CHECKING:
    from dapwright.engines.delve.tracing import Tracing

REQUESTS: "Requests[Session]" = Requests()
Body = dict[str, Any]


class Session:
    """The engine's side of one client."""

    def __init__(self, server: "Server[Session]") -> None:
        self.server = server
        self.delve = Delve(lambda category, text: server.event("output", {"category": category, "output": text}))
        self.tracing: Tracing | None = None
        self.configured = asyncio.Event()
        self._run: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Leave nothing behind."""
        if self._run is not None:
            self._run.cancel()
            await asyncio.gather(self._run, return_exceptions=True)
        await self.delve.kill()

    def start(self) -> None:
        """Let the program run."""
        self._run = asyncio.create_task(self._go())

    async def _go(self) -> None:
        """Run to the end; at each place of a trace Delve's answer is looked at, and the program goes on."""
        body: Body = {}
        loading = self.tracing.loading if self.tracing is not None else {}
        try:
            while True:
                answer = await self.delve.ask("Command", None, name="continue", ReturnInfoLoadConfig=loading)
                state = answer.get("State") or {}
                if state.get("exited"):
                    body = {"exitCode": state.get("exitStatus", 0)}
                    break
                if self.tracing is not None:
                    await self.tracing.look(state)
        except DapwrightError as lost:
            self.server.event("output", {"category": "console", "output": f"{lost}\n"})
        if self.tracing is not None:
            self.tracing.ended()
        await self.delve.drain()
        if body:
            self.server.event("exited", body)
        self.server.event("terminated")


@REQUESTS.on("launch", dict, concurrent=True)
async def launch(session: Session, ask: Body) -> Body:
    """Start a built program under a headless Delve; answered once it is configured and runs."""
    words = ["exec", "--headless", "--api-version=2", "--listen=127.0.0.1:0", *map(str, ask.get("dlvFlags") or ())]
    if ask.get("cwd"):
        words.append(f"--wd={ask['cwd']}")
    argv = [str(ask["dlv"]), *words, str(ask["program"]), "--", *map(str, ask.get("args") or ())]
    await session.delve.start(argv, cwd=str(ask.get("cwd") or ""), env=ask.get("env") or {})
    session.delve.program = int((await session.delve.ask("ProcessPid")).get("Pid") or 0)
    about = {"name": ask["program"], "systemProcessId": session.delve.program, "isLocalProcess": True}
    session.server.event("process", {**about, "startMethod": "launch"})
    session.server.event("initialized")
    await session.configured.wait()
    session.start()
    return {}


@REQUESTS.on("configurationDone", dict, capabilities=("supportsConfigurationDoneRequest",))
async def configuration_done(session: Session, ask: Body) -> Reply:
    """All is told: the program may run."""
    return Reply({}, session.configured.set)


@REQUESTS.on("threads", dict)
async def threads(session: Session, ask: Body) -> Body:
    """The program as one thread: goroutines are not told here."""
    return {"threads": [{"id": 1, "name": "program"}]}


@REQUESTS.on("disconnect", dict, concurrent=True, capabilities=("supportTerminateDebuggee",))
async def disconnect(session: Session, ask: Body) -> Reply:
    """End the program."""
    session.configured.set()
    return Reply({}, session.server.end)


@REQUESTS.on("pause", dict)
async def pause(session: Session, ask: Body) -> Body:
    """Refuse: this engine traces alone.

    Raises:
        WrongState: always.
    """
    raise WrongState("a traced program does not stop", "start it with start_debugging to stop in it")
