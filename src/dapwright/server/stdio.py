"""MCP over standard input and output: one thread reads, one writes, every request is a task of the loop.

The official SDK answers its first request after a second; clients drop servers sooner than that. So
this is our own engine. Standard output carries the protocol alone.
"""

import asyncio
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from dapwright.policy.settings import Settings
from dapwright.server import protocol, watchdog
from dapwright.server.host import SessionsHost
from dapwright.server.inbox import start_reading
from dapwright.server.opening import Opening
from dapwright.server.outbox import Outbox, claim_pipes
from dapwright.server.protocol import INVALID_REQUEST, Malformed, Message, Refused, Reply, Request, read_line
from dapwright.server.service import Service
from dapwright.server.watchdog import LAST_SECONDS, Watchdog

GRACE_SECONDS = 0.5
"""How long quick calls may still answer after the end of the input."""
CLOSE_SECONDS = 10.0
"""How long the sessions may take to close; then the process ends all the same."""
STREAM = "subscriptions/listen"


class Engine:
    """One client on a pair of pipes. A `routed` one is a router, that acts for others; the process is not its own."""

    def __init__(
        self, opening: Opening, settings: Settings, *, last_seconds: float = LAST_SECONDS, routed: bool = False
    ) -> None:
        self._opening = opening
        self._routed = routed
        self._settings = settings
        self._calls = Watchdog(self._give_up, seconds=last_seconds)
        self._tasks: dict[watchdog.Key, asyncio.Task[None]] = {}
        self._streams: set[watchdog.Key] = set()
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._asks = 0

    async def run(self, reading: int, writing: int) -> None:
        """Serve until the input ends, the client is gone, or a signal says so; then close the sessions."""
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._ended = False
        self._outbox = Outbox(writing, lost=lambda: self._soon(self._over.set))
        self._service = Service(
            self._opening,
            self._settings,
            mention=self._outbox.mention,
            ask_client=self._ask_client,
            routed=self._routed,
        )
        self._opening.watch(self._service.updates.note)
        if not self._routed:
            _on_signals(self._loop, self._over.set)
        self._reader = start_reading(reading, self._take, lambda: self._soon(self._end_of_input))
        try:
            await self._over.wait()
        finally:
            await (self._hang_up() if self._routed else self._shut_down())
            self._opening.close()

    async def read_all(self) -> None:
        """Wait for the reading thread, once its descriptor is at its end."""
        await asyncio.to_thread(self._reader.join, GRACE_SECONDS)

    def _take(self, line: bytes | None) -> None:
        """Read one line, in the reader's thread: its calls are watched before the loop hears of them."""
        if line is None:
            self._refuse(Malformed(INVALID_REQUEST, "the line is longer than 64 MB"))
            return
        for message in read_line(line):
            if isinstance(message, Malformed):
                self._refuse(message)
            elif isinstance(message, Request) and message.id is not None:
                if self._calls.open(message, endless=message.method == STREAM):
                    self._soon(self._begin, message)
                else:
                    self._refuse(Malformed(INVALID_REQUEST, "a request with this `id` is still open", message.id))
            else:
                self._soon(self._hear, message)

    def _soon(self, act: Any, *arguments: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(act, *arguments)
        except RuntimeError:
            pass  # the loop is closed: nobody is left to act

    def _refuse(self, bad: Malformed) -> None:
        self._outbox.send(protocol.error_of(bad.id, bad.code, bad.message, bad.data))

    def _begin(self, request: Request) -> None:
        key = watchdog.key_of(request.id)
        if request.method == STREAM:
            self._streams.add(key)
        task = self._tasks[key] = self._loop.create_task(self._answer(request))
        task.add_done_callback(lambda done: self._forget(request, done))

    def _forget(self, request: Request, task: asyncio.Task[None]) -> None:
        # A task that is cancelled before its first step runs nothing: nobody else would close its call.
        self._calls.close(request)
        key = watchdog.key_of(request.id)
        if self._tasks.get(key) is task:
            del self._tasks[key]
            self._streams.discard(key)

    async def _answer(self, request: Request) -> None:
        """Answer one request, whatever happens, unless it has been answered or cancelled."""
        try:
            message = protocol.result_of(request.id, await self._service.answer(request))
        except Refused as refused:
            message = protocol.error_of(request.id, refused.code, str(refused), refused.data)
        except asyncio.CancelledError:
            if request.method != STREAM or not self._over.is_set():
                return
            meta = {protocol.SUBSCRIPTION_KEY: request.id}
            message = protocol.result_of(request.id, protocol.complete({"_meta": meta}, stateless=True))
        except Exception:
            traceback.print_exc()
            message = protocol.error_of(request.id, protocol.INTERNAL, "a defect of dapwright; see its standard error")
        if self._calls.close(request):
            self._outbox.send(message)
        if request.method == "tools/list":
            self._opening.begin()

    def _hear(self, message: Message) -> None:
        """Take what needs no answer: a notification, or the answer to a question of ours."""
        if isinstance(message, Reply):
            asked = self._asked.get(message.id) if isinstance(message.id, str) else None
            if asked is not None and not asked.done():
                asked.set_result(message.result)
        elif isinstance(message, Request) and message.method == "notifications/cancelled":
            id = message.params.get("requestId")
            task = self._tasks.get(watchdog.key_of(id)) if isinstance(id, (str, int, float)) else None
            if task is not None:
                task.cancel()

    async def _ask_client(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send a request to the client; its result, or None where it refused. Cancelled, it is withdrawn."""
        self._asks += 1
        id = f"dapwright-{self._asks}"
        self._asked[id] = self._loop.create_future()
        self._outbox.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        try:
            return await self._asked[id]
        except asyncio.CancelledError:
            self._outbox.send(protocol.notification("notifications/cancelled", {"requestId": id}))
            raise
        finally:
            del self._asked[id]

    def _give_up(self, request: Request) -> None:
        """Answer a call without the loop, in the watchdog's thread."""
        if request.method == "tools/call":
            result = protocol.stuck_result(stateless=request.stateless)
            self._outbox.send(protocol.result_of(request.id, result))
        else:
            self._outbox.send(protocol.error_of(request.id, protocol.INTERNAL, "the server is stuck"))
        self._soon(self._cancel, request)

    def _cancel(self, request: Request) -> None:
        if task := self._tasks.get(watchdog.key_of(request.id)):
            task.cancel()

    def _end_of_input(self) -> None:
        self._ended = True
        self._over.set()

    async def _shut_down(self) -> None:
        """Let quick calls answer, cancel the others, close the sessions; in bounded time, come what may."""
        last_resort = threading.Timer(CLOSE_SECONDS + 2, os._exit, (1,))
        last_resort.daemon = True
        last_resort.start()
        calls = [task for key, task in self._tasks.items() if key not in self._streams]
        if self._ended and calls:
            await asyncio.wait(calls, timeout=GRACE_SECONDS)
        await self._cancel_all()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                if self._opening.host is not None:
                    await self._opening.host.close()
        except Exception:
            traceback.print_exc()
        self._outbox.flush(1)
        last_resort.cancel()

    async def _hang_up(self) -> None:
        """End one router's connection; the sessions go on."""
        await self._cancel_all()
        await asyncio.to_thread(self._outbox.flush, GRACE_SECONDS)

    async def _cancel_all(self) -> None:
        left = [*self._tasks.values()]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=1)


def _on_signals(loop: asyncio.AbstractEventLoop, stop: Any) -> None:
    """End as at the end of the input."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, stop)
        except (NotImplementedError, RuntimeError):  # Windows has none, another thread may not
            try:
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
            except ValueError:
                return


def serve(
    open_host: Callable[[], SessionsHost],
    settings: Settings,
    *,
    prepare: Callable[[], None] | None = None,
    last_seconds: float = LAST_SECONDS,
) -> int:
    """Serve the tools on this process's standard input and output; returns the exit code.

    `open_host` makes the sessions, on the running loop, after `prepare` has read its modules in a thread.
    """
    reading, writing = claim_pipes()

    async def run() -> None:
        await Engine(Opening(open_host, prepare), settings, last_seconds=last_seconds).run(reading, writing)

    asyncio.run(run())
    sys.stderr.flush()
    return 0
