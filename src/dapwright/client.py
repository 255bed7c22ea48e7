"""One DAP connection: a request finds its answer, events go to one listener."""

import asyncio
import contextlib
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from dapwright.channel import Channel
from dapwright.core.errors import AdapterError, Busy, ProtocolError
from dapwright.core.protocol import Message, Request, decode, encode, typed
from dapwright.core.wire import Decoder
from dapwright.foreseen import Foreseen

B = TypeVar("B")
OCCUPIED = frozenset(
    (
        *("evaluate", "variables", "scopes", "setVariable", "setExpression", "exceptionInfo", "stepInTargets"),
        *("continue", "next", "stepIn", "stepOut"),
    )
)
"""Requests that wait for the thread which an evaluation holds."""
REQUEST_SECONDS = 10.0
"""How long an engine may take over a plain request; launch, attach and evaluate set their own."""

OnEvent = Callable[[str, Any], None]
OnRequest = Callable[[str, Any], Awaitable[Mapping[str, Any]]]


class Client:
    """A connection to a debugger. Events are told in order, before whatever was sent after them."""

    def __init__(self, channel: Channel, on_event: OnEvent, on_request: OnRequest) -> None:
        self._channel = channel
        self._on_event = on_event
        self._on_request = on_request
        self._decoder = Decoder()
        self._seq = 0
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._replies: set[asyncio.Task[None]] = set()
        self._foreseen = Foreseen()
        self.occupied = ""
        """What the program evaluates for us beyond its time limit: until it ends, nothing else can be looked at."""
        self.closed = False
        self.broken = ""
        """Why the stream cannot be read on, where the peer broke the protocol."""
        channel.on_data = self._heard
        channel.open()

    async def ask(
        self, request: Request[B], arguments: Mapping[str, Any] | None = None, seconds: float | None = REQUEST_SECONDS
    ) -> B:
        """Send a request and return the body of its answer; `seconds` None waits as long as it takes.

        Raises:
            AdapterError: the debugger refused, in its own words.
            ProtocolError: it did not answer in time, or has gone.
        """
        waiter = self._foreseen.take(request.command, arguments) or self.send(request, arguments)
        try:
            message = waiter.result() if waiter.done() else await asyncio.wait_for(waiter, seconds)
        except TimeoutError:
            raise ProtocolError(
                f"the debugger did not answer `{request.command}` within {seconds:g} s",
                "pause the program or close the session",
            ) from None
        return self.opened(request, message)

    def send(self, request: Request[B], arguments: Mapping[str, Any] | None = None) -> asyncio.Future[Message]:
        """Send a request now; the future is its answer (see `opened`)."""
        if self.closed:
            raise ProtocolError(f"the debugger is gone: `{request.command}` was not sent", self._afterlife())
        if self.occupied and request.command in OCCUPIED:
            raise Busy(
                f"the program still evaluates `{self.occupied}`", "call again later, or restart or close the session"
            )
        self._foreseen.asked(request.command)
        waiter, message = self._written(request, arguments)
        self._channel.write(message)
        return waiter

    def foresee(self, questions: Sequence[tuple[Request[Any], Mapping[str, Any]]]) -> None:
        """Send looks in one write before anyone wants them: who asks the same until the next move has the answer."""
        if self.closed or self.occupied:
            return
        written = [self._written(request, arguments) for request, arguments in questions]
        with contextlib.suppress(ProtocolError, OSError):  # then each is asked when it is wanted, and meets the same
            self._channel.write(b"".join(message for _, message in written))
            for (request, arguments), (waiter, _) in zip(questions, written, strict=True):
                self._foreseen.promise(request.command, arguments, waiter)

    def _written(
        self, request: Request[B], arguments: Mapping[str, Any] | None
    ) -> tuple[asyncio.Future[Message], bytes]:
        self._seq += 1
        seq = self._seq
        waiter: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[seq] = waiter
        waiter.add_done_callback(lambda _: self._waiting.pop(seq, None))
        message: dict[str, Any] = {"seq": seq, "type": "request", "command": request.command}
        if arguments is not None:
            message["arguments"] = arguments
        return waiter, encode(message)

    def occupy(self, expression: str, waiter: asyncio.Future[Message]) -> None:
        """Refuse what an engine cannot serve until this evaluation has ended."""
        self.occupied = expression
        waiter.add_done_callback(lambda _: setattr(self, "occupied", ""))

    @staticmethod
    def opened(request: Request[B], message: Message) -> B:
        """Return the typed body of an answer, or raise what it refused."""
        if not message.success:
            body = message.body if isinstance(message.body, dict) else {}
            error = body.get("error") if isinstance(body.get("error"), dict) else {}
            words = _filled(error or {}) or message.message or f"the debugger refused `{request.command}`"
            raise AdapterError(words, str(body.get("hint") or ""))  # the hint: our own engines' alone
        return typed(message.body, request.answer)

    def close(self) -> None:
        """Hang up; whoever waits is told."""
        self._end()
        with contextlib.suppress(ProtocolError, OSError):
            self._channel.close()

    def _heard(self, data: bytes) -> None:
        if self.closed:
            return
        if not data:
            self._end()
            return
        try:
            for body in self._decoder.feed(data):
                self._take(decode(body))
        except ProtocolError as bad:
            self.broken = str(bad)
            self.close()

    def _take(self, message: Message) -> None:
        match message.type:
            case "response":
                waiter = self._waiting.get(message.request_seq)
                if waiter is not None and not waiter.done():
                    waiter.set_result(message)
            case "event":
                self._tell(message)
            case "request":
                task = asyncio.get_running_loop().create_task(self._reply(message))
                self._replies.add(task)
                task.add_done_callback(self._replies.discard)

    def _tell(self, message: Message) -> None:
        """Tell an event; a listener that fails on it is a defect of ours, and costs neither stream nor session."""
        try:
            if self._foreseen.hear(message.event, message.body):
                return
            self._on_event(message.event, message.body)
        except Exception as defect:
            traceback.print_tb(defect.__traceback__)
            text = f"the event `{message.event[:80]}` could not be taken in ({type(defect).__name__})"
            with contextlib.suppress(Exception):
                self._on_event("dapwrightWarning", {"text": text})

    async def _reply(self, message: Message) -> None:
        self._seq += 1
        reply = {"type": "response", "seq": self._seq, "request_seq": message.seq, "command": message.command}
        try:
            body = await self._on_request(message.command, message.arguments)
            reply |= {"success": True, "body": body}
        except Exception as failure:
            reply |= {"success": False, "message": str(failure) or type(failure).__name__}
        if not self.closed:
            with contextlib.suppress(ProtocolError):
                self._channel.write(encode(reply))

    def _end(self) -> None:
        if self.closed:
            return
        self.closed = True
        for task in self._replies:
            task.cancel()
        self._foreseen.end(ProtocolError("the debugger closed the connection", self._afterlife()))
        for waiter in list(self._waiting.values()):
            if not waiter.done():
                waiter.set_exception(ProtocolError("the debugger closed the connection", self._afterlife()))
                waiter.exception()  # an unawaited one is no warning: whoever waits is told all the same
        self._on_event("disconnected", None)

    def _afterlife(self) -> str:
        said = self.broken or bytes(self._decoder.noise[-400:]).decode(errors="replace").strip()
        return f"it said: {said}" if said else "start the session again with restart_debugging"


def _filled(error: Mapping[str, Any]) -> str:
    """Fill the `{names}` of a DAP error's format with its variables."""
    text = str(error.get("format") or "")
    for name, value in (error.get("variables") or {}).items():
        text = text.replace("{" + str(name) + "}", str(value))
    return text
