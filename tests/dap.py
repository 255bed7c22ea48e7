"""A tiny DAP client on stdio, for driving an engine by hand."""

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dapwright.core.protocol import Message, decode, encode
from dapwright.core.wire import Decoder

SECONDS = 10.0


class Refused(Exception):
    """The engine answered `success: false`."""

    def __init__(self, answer: Message) -> None:
        super().__init__(answer.message)
        self.body = answer.body


class Dap:
    """One engine process; `ask` sends a request, `event` waits for an event not yet taken."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.log: list[Message] = []
        self.capabilities: dict[str, Any] = {}
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._events: list[Message] = []
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())
        self.ended = False

    def send(self, command: str, **arguments: Any) -> "asyncio.Future[Message]":
        """Send a request now; the future holds its whole response."""
        seq = next(self._ids)
        future = self._answers[seq] = asyncio.get_running_loop().create_future()
        self.process.stdin.write(encode({"seq": seq, "type": "request", "command": command, "arguments": arguments}))
        return future

    async def ask(self, command: str, *, seconds: float = SECONDS, **arguments: Any) -> dict[str, Any]:
        """Send a request, wait for its answer, return the body; Refused where the engine refused."""
        async with asyncio.timeout(seconds):
            answer = await self.send(command, **arguments)
        if not answer.success:
            raise Refused(answer)
        return answer.body or {}

    async def event(
        self, *names: str, seconds: float = SECONDS, where: Callable[[dict[str, Any]], bool] = lambda body: True
    ) -> dict[str, Any]:
        """Wait for an event by name (the first of several names), taking it; `{"event": name, **body}`."""

        def taken() -> dict[str, Any] | None:
            for at, message in enumerate(self._events):
                body = message.body or {}
                if message.event in names and where(body):
                    del self._events[at]
                    return {"event": message.event, **body}
            return None

        try:
            async with asyncio.timeout(seconds), self._news:
                while (found := taken()) is None:
                    if self.ended:
                        raise EOFError(f"the engine ended before {names}; it sent {self.story()}")
                    await self._news.wait()
                return found
        except TimeoutError:
            raise TimeoutError(f"no {names} within {seconds} s; the engine sent {self.story()}") from None

    def story(self) -> list[str]:
        """What came, in order: for an error's words."""
        return [f"{m.event or m.command}: {str(m.body)[:200]}" for m in self.log[-25:]]

    def output(self, *categories: str) -> str:
        """All that the program printed so far."""
        bodies = [m.body for m in self.log if m.event == "output"]
        return "".join(b["output"] for b in bodies if not categories or b.get("category") in categories)

    async def _read(self) -> None:
        decoder = Decoder()
        while data := await self.process.stdout.read(1 << 16):
            for body in decoder.feed(data):
                self._take(decode(body))
            async with self._news:
                self._news.notify_all()
        self.ended = True
        for future in self._answers.values():
            if not future.done():
                future.set_exception(EOFError(f"the engine ended; it sent {self.story()}"))
                future.exception()
        async with self._news:
            self._news.notify_all()

    def _take(self, message: Message) -> None:
        self.log.append(message)
        if message.type == "response":
            future = self._answers.pop(message.request_seq, None)
            if future and not future.done():
                future.set_result(message)
        elif message.type == "event":
            self._events.append(message)

    # The usual course of a session.

    async def initialize(self) -> dict[str, Any]:
        """Say hello; what the engine can do is kept in `capabilities`."""
        self.capabilities = await self.ask(
            "initialize", adapterID="test", linesStartAt1=True, columnsStartAt1=True, supportsVariablePaging=True
        )
        return self.capabilities

    async def begin(
        self,
        request: str = "launch",
        breakpoints: dict[str, list[dict[str, Any]]] | None = None,
        functions: Sequence[dict[str, Any]] = (),
        filters: Sequence[str] = ("uncaught",),
        **arguments: Any,
    ) -> dict[str, list[dict[str, Any]]]:
        """Launch (or attach), set breakpoints by file, configure; returns what each file's breakpoints became."""
        await self.initialize()
        started = self.send(request, **arguments)
        greeting = asyncio.create_task(self.event("initialized", seconds=30))
        await asyncio.wait([started, greeting], return_when=asyncio.FIRST_COMPLETED)
        if not greeting.done() and not started.result().success:
            greeting.cancel()
            raise Refused(started.result())
        await greeting
        told = {}
        for file, wanted in (breakpoints or {}).items():
            told[file] = (await self.ask("setBreakpoints", source={"path": file}, breakpoints=wanted))["breakpoints"]
        if functions:
            told["functions"] = (await self.ask("setFunctionBreakpoints", breakpoints=list(functions)))["breakpoints"]
        await self.ask("setExceptionBreakpoints", filters=list(filters))
        await self.ask("configurationDone")
        async with asyncio.timeout(30):
            answer = await started
        if not answer.success:
            raise Refused(answer)
        return told

    async def stopped(self, *, seconds: float = SECONDS) -> dict[str, Any]:
        """Wait for the next stop; the event's body with the top `frame` added."""
        stop = await self.event("stopped", "exited", seconds=seconds)
        if stop["event"] == "exited":
            raise AssertionError(f"the program ended ({stop}) instead of stopping: {self.story()}")
        frames = (await self.ask("stackTrace", threadId=stop["threadId"], levels=1))["stackFrames"]
        return stop | {"frame": frames[0] if frames else None}

    async def ended_with(self, *, seconds: float = SECONDS) -> dict[str, Any]:
        """Wait for the end of the program; the body of `exited`."""
        gone = await self.event("exited", seconds=seconds)
        await self.event("terminated", seconds=seconds)
        return gone

    async def locals(self, frame: int) -> dict[str, str]:
        """The variables of the frame's first scope, by name."""
        scopes = (await self.ask("scopes", frameId=frame))["scopes"]
        listed = await self.ask("variables", variablesReference=scopes[0]["variablesReference"])
        return {v["name"]: v["value"] for v in listed["variables"]}

    async def evaluate(self, expression: str, frame: int | None = None, **more: Any) -> str:
        """The value of an expression, as text."""
        at = {} if frame is None else {"frameId": frame}
        return (await self.ask("evaluate", expression=expression, context="repl", **at, **more))["result"]


@contextlib.asynccontextmanager
async def engine(*argv: str, cwd: Path | None = None):
    """An engine's process, killed at the end whatever happened."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe, cwd=cwd)
    client = Dap(process)
    try:
        yield client
    finally:
        process.stdin.close()
        try:
            async with asyncio.timeout(SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise
        finally:
            client._reader.cancel()
            await asyncio.gather(client._reader, return_exceptions=True)
            process._transport.close()


def line_of(file: Path | str, text: str) -> int:
    """The number of the one line of `file` that holds `text`."""
    lines = [n for n, line in enumerate(Path(file).read_text().splitlines(), 1) if text in line]
    assert len(lines) == 1, f"{text!r} is on lines {lines} of {file}"
    return lines[0]
