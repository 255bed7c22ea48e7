"""A Debug Adapter Protocol server without a debugger: what every engine of ours shares.

A topic file of an engine registers functions, and with each the capabilities that it
makes true, so that what `initialize` advertises cannot lie:

    REQUESTS: Requests[Session] = Requests()

    @REQUESTS.on("scopes", Scopes)
    async def scopes(session: Session, ask: Scopes) -> Answer:
        return {"scopes": [...]}

    def main(argv: list[str]) -> int:
        return run(REQUESTS, Session)     # Session(server: Server), with `async def close()`

Order is exact. Requests are answered one at a time, in the order they came, except those
registered as `concurrent`, which start as they come (launch, evaluate, pause, disconnect).
A function that must send an event right after its own answer returns a `Reply`.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from dapwright.core.errors import DapwrightError, NotSupported, ProtocolError
from dapwright.core.protocol import Message, decode, encode, typed
from dapwright.core.wire import Decoder

Arguments = Mapping[str, Any]
Answer = Mapping[str, Any] | None


class Session(Protocol):
    """What a server needs of an engine's session."""

    async def close(self) -> None:
        """End what was launched and leave what was attached to; called once, however the connection ended."""


S = TypeVar("S", bound=Session)
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and what to do the moment it is sent (such as an event that must follow it)."""

    body: Answer
    then: Callable[[], None]


Handler = Callable[[S, A], Awaitable[Answer | Reply]]


@dataclass(frozen=True, slots=True)
class Route:
    """The function that answers a request, the shape of its arguments, and whether it may overtake others."""

    handler: Callable[[Any, Any], Awaitable[Answer | Reply]]
    shape: Any
    concurrent: bool


class Requests(Generic[S]):
    """The requests an engine answers, and the capabilities that follow."""

    def __init__(self) -> None:
        self.routes: dict[str, Route] = {}
        self.capabilities: dict[str, Any] = {}

    def on(
        self,
        command: str,
        shape: type[A],
        *,
        capabilities: tuple[str, ...] | Mapping[str, Any] = (),
        concurrent: bool = False,
    ) -> Callable[[Handler[S, A]], Handler[S, A]]:
        """Register the decorated function for `command`; `shape` is a msgspec struct, or `dict`."""

        def register(handler: Handler[S, A]) -> Handler[S, A]:
            self.routes[command] = Route(handler, shape, concurrent)
            self.capabilities |= dict.fromkeys(capabilities, True) if isinstance(capabilities, tuple) else capabilities
            return handler

        return register


class Server(Generic[S]):
    """One connection: feed it bytes; it answers through `write`."""

    def __init__(self, requests: Requests[S], make: "Callable[[Server[S]], S]", write: Callable[[bytes], None]) -> None:
        self.client: dict[str, Any] = {}
        """The arguments of `initialize`: how this client counts lines, and what it can do."""
        self._requests = requests
        self._write = write
        self._decoder = Decoder()
        self._seq = 0
        self._lane: asyncio.Queue[Message] = asyncio.Queue()
        self._running: dict[int, asyncio.Task[None]] = {}
        self._asked: dict[int, asyncio.Future[Message]] = {}
        self._ended = asyncio.Event()
        self.session = make(self)

    def event(self, name: str, body: Answer = None) -> None:
        """Send an event; its place among answers is where this was called."""
        self._send({"type": "event", "event": name, "body": body or {}})

    async def ask(self, command: str, arguments: Arguments) -> Message:
        """Send a reverse request (`runInTerminal`, `startDebugging`) and wait for the client's answer."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        seq = self._send({"type": "request", "command": command, "arguments": arguments})
        self._asked[seq] = answer
        try:
            return await answer
        finally:
            self._asked.pop(seq, None)

    def feed(self, data: bytes) -> None:
        """Take bytes from the client; none means that it has gone."""
        try:
            for body in self._decoder.feed(data):
                self._take(decode(body))
        except ProtocolError as broken:
            print(f"dapwright: {broken}", file=sys.stderr)
            self.end()
        if not data:
            self.end()

    def end(self) -> None:
        """Stop serving: what runs is cancelled and the session closed."""
        self._ended.set()

    async def serve(self) -> None:
        """Answer until the client has gone, or `end` was called."""
        lane = asyncio.create_task(self._one_by_one())
        try:
            await self._ended.wait()
        finally:
            tasks = [lane, *self._running.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.session.close()

    def _send(self, message: dict[str, Any]) -> int:
        self._seq += 1
        self._write(encode({"seq": self._seq, **message}))
        return self._seq

    def _take(self, message: Message) -> None:
        if message.type == "response":
            answer = self._asked.get(message.request_seq)
            if answer and not answer.done():
                answer.set_result(message)
        elif message.type == "request":
            route = self._requests.routes.get(message.command)
            if message.command == "cancel":
                self._cancel(message)
            elif route and route.concurrent:
                self._start(message)
            else:
                self._lane.put_nowait(message)

    def _start(self, message: Message) -> asyncio.Task[None]:
        task = asyncio.create_task(self._answer(message))
        self._running[message.seq] = task
        task.add_done_callback(lambda _: self._running.pop(message.seq, None))
        return task

    async def _one_by_one(self) -> None:
        while True:
            task = self._start(await self._lane.get())
            await asyncio.wait([task])

    def _cancel(self, message: Message) -> None:
        task = self._running.get((message.arguments or {}).get("requestId", -1))
        if task:
            task.cancel()
        self._respond(message, {})

    async def _answer(self, message: Message) -> None:
        try:
            answer = await self._handle(message)
        except asyncio.CancelledError:
            self._respond(message, None, failure="cancelled")
            return
        except DapwrightError as refusal:
            self._refuse(message, refusal)
            return
        except Exception as bug:
            self._internal(message, bug)
            return
        if not isinstance(answer, Reply):
            self._respond(message, answer)
            return
        self._respond(message, answer.body)
        answer.then()

    async def _handle(self, message: Message) -> Answer | Reply:
        if message.command == "initialize":
            self.client = message.arguments or {}
            return self._requests.capabilities | {"supportsCancelRequest": True}
        route = self._requests.routes.get(message.command)
        if route is None:
            raise NotSupported(f"this engine does not know the request `{message.command}`")
        arguments = message.arguments or {}
        return await route.handler(self.session, arguments if route.shape is dict else typed(arguments, route.shape))

    def _respond(self, message: Message, body: Answer, *, failure: str | None = None) -> None:
        answer = {"type": "response", "request_seq": message.seq, "command": message.command}
        told = {"message": failure} if failure is not None else {}
        self._send({**answer, "success": failure is None, **told, "body": body or {}})

    def _refuse(self, message: Message, refusal: DapwrightError) -> None:
        """The message says all; `code` and `hint` stand beside it for a client that can use them."""
        # As a variable: the protocol has no way to write a brace of a format itself.
        error = {"id": 1, "format": "{message}", "variables": {"message": str(refusal)}, "showUser": True}
        hint = {"hint": refusal.hint} if refusal.hint else {}
        self._respond(message, {"error": error, "code": refusal.code, **hint}, failure=str(refusal))

    def _internal(self, message: Message, bug: Exception) -> None:
        import traceback  # late: only a bug pays for it

        traceback.print_exception(bug, file=sys.stderr)
        words = f"`{message.command}` failed inside the engine ({type(bug).__name__})"
        self._respond(message, {"error": {"id": 2, "format": words, "showUser": False}}, failure=words)


def run(requests: Requests[S], make: Callable[[Server[S]], S]) -> int:
    """Serve one client on standard input and output until it goes; return the exit code.

    A signal that asks us to end is the client's going, so that the session is closed. What anything
    else prints goes to standard error: the protocol keeps standard output for itself.
    """
    pipe = os.dup(1)
    os.dup2(2, 1)
    asyncio.run(_serve(requests, make, pipe))
    return 0


async def _serve(requests: Requests[S], make: Callable[[Server[S]], S], pipe: int) -> None:
    loop = asyncio.get_running_loop()
    server: Server[S] = Server(requests, make, lambda data: _write_all(pipe, data, server))
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name) and sys.platform != "win32":
            loop.add_signal_handler(getattr(signal, name), server.end)
    threading.Thread(target=_read, args=(loop, server), daemon=True).start()
    await server.serve()


def _write_all(pipe: int, data: bytes, server: Server[Any]) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(pipe, view) :]
    except OSError:
        server.end()


def _read(loop: asyncio.AbstractEventLoop, server: Server[Any]) -> None:
    """A thread, since asyncio reads no pipe on Windows and no plain file anywhere."""
    while True:
        try:
            data = os.read(0, 1 << 16)
        except OSError:
            data = b""
        try:
            loop.call_soon_threadsafe(server.feed, data)
        except RuntimeError:  # the loop has ended
            return
        if not data:
            return
