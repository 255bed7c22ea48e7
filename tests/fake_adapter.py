"""A scriptable debug adapter in memory: the toy language's engine behind a channel, with faults and hooks.

    fake = FakeAdapter("stackTrace", "hangs")       a deed of engines/mock/faults.py at a request
    fake.on["continue"] = lambda message: ...       called instead of the engine; true lets it answer too
    fake.event("stopped", {...})                    says what a test wants said

`tools(monkeypatch)` gives a server's tools whose sessions meet these adapters instead of processes.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dapwright.core.errors import ProtocolError
from dapwright.core.protocol import Message
from dapwright.engines.mock.faults import Faults, Line
from dapwright.engines.mock.server import Mock
from dapwright.policy.settings import Settings
from dapwright.session import children, launching
from dapwright.sessions import Sessions
from dapwright.tools.answers import Answer, answer
from dapwright.tools.caller import Caller

SHOP = """\
# orders
total = 0
amounts = [30, 5, 7]
n = 0
to add
    amount = amounts[n]
    total = total + amount
    n = n + 1
end
repeat 3
    do add
    print total is {total}
end
print done
"""
FOREVER = "x = 1\nforever\n"


class FakeAdapter(Mock):
    """An adapter behind an in-memory channel (it is the channel too): what it says comes in the loop's next turn."""

    def __init__(self, step: str = "", deed: str = "", **engine: Any) -> None:
        self.on_data: Callable[[bytes], None] = lambda data: None
        self.on: dict[str, Callable[[Message], Any]] = {}
        self.heard: list[Message] = []
        self.closed = self.dead = self.frozen = self.reading = False
        self._saying: list[bytes] = []
        loop = asyncio.get_running_loop()
        self.loop = loop
        line = Line(write=self._write, die=self.die, freeze=self.freeze, stall=self._stall, later=loop.call_later)
        self.faults = Faults(line, step, deed)
        super().__init__(say=self.faults.say, later=loop.call_later, end=self.die, **engine)

    # --- the channel, as the session's client uses it

    def open(self) -> None:
        self.reading = True
        self.loop.call_soon(self._deliver)

    def write(self, data: bytes) -> None:
        if self.dead:
            raise ProtocolError("the debugger has closed the connection")
        self.loop.call_soon(self._feed, data)

    def close(self) -> None:
        self.closed = True
        self.die()

    # --- the adapter

    def hear(self, message: Message) -> None:
        self.heard.append(message)
        if not self.faults.arrived(message.command):
            return
        hook = self.on.get(message.command)
        if hook is None or hook(message):
            super().hear(message)

    def asked(self, command: str) -> list[Any]:
        """The arguments of each request of that name so far."""
        return [message.arguments for message in self.heard if message.command == command]

    def die(self) -> None:
        """End without a word more."""
        if not self.dead:
            self.dead = True
            self.loop.call_soon(self._deliver, b"")

    def freeze(self) -> None:
        """Stay, hear and say nothing."""
        self.frozen = True

    def _stall(self, seconds: float) -> None:
        self.loop.stall(seconds)  # type: ignore[attr-defined]

    def _feed(self, data: bytes) -> None:
        if not self.dead and not self.frozen:
            self.feed(data)

    def _write(self, data: bytes) -> None:
        if not self.dead and not self.frozen:
            self._saying.append(data)
            self.loop.call_soon(self._deliver)

    def _deliver(self, end: bytes | None = None) -> None:
        if not self.reading:
            return
        saying, self._saying = self._saying, []
        for data in saying:
            self.on_data(data)
        if end is not None:
            self.on_data(end)


class FakeProcess:
    """What a session needs to know of the process of an adapter in memory."""

    def __init__(self, fake: FakeAdapter, argv: tuple[str, ...]) -> None:
        self.fake, self.argv = fake, argv
        self.ended: asyncio.Future[int] = fake.loop.create_future()
        self.last_words = b""
        self.pid = 0

    @property
    def running(self) -> bool:
        return not self.ended.done()

    def drain(self) -> None:
        """Nothing is printed."""

    def spare(self) -> None:
        """Nothing watches it."""

    async def kill(self) -> None:
        self.fake.close()
        if self.running:
            self.ended.set_result(-9)


class Bench:
    """A server's tools over fake adapters; `make` builds the adapter of the next connection."""

    def __init__(self, monkeypatch: Any, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.sessions = Sessions(self.settings)
        self.made: list[FakeAdapter] = []
        self.make: Callable[[], FakeAdapter] = FakeAdapter
        monkeypatch.setattr(launching, "_open", self._open)
        monkeypatch.setattr(children.channel, "dial", self._dial)

    @property
    def fake(self) -> FakeAdapter:
        """The adapter that was reached last."""
        return self.made[-1]

    async def _open(self, session: Any, plan: Any, place: Any = None) -> FakeAdapter:
        fake = self.make()
        self.made.append(fake)
        if plan is not None and plan.argv:
            session.adapter_process = FakeProcess(fake, plan.argv)
        return fake

    async def _dial(self, host: str, port: int, **_: Any) -> FakeAdapter:
        if port < 10:
            raise ConnectionRefusedError(111, "Connection refused")
        return await self._open(None, None)

    async def answer(self, tool: str, /, client: str = "local", **arguments: Any) -> Answer:
        """Call a tool as a client does."""
        caller = Caller(sessions=self.sessions, settings=self.settings, client=client)
        return await answer(caller, tool, arguments)

    async def ok(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool that must succeed."""
        told = await self.answer(tool, **arguments)
        assert not told.is_error, told.text
        return told.structured

    async def refused(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool that must fail."""
        told = await self.answer(tool, **arguments)
        assert told.is_error, told.text
        return told.structured

    async def close(self) -> None:
        """End the server; every channel must be closed by then."""
        await self.sessions.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert all(fake.closed for fake in self.made), "a channel was left open"


def written(folder: Path, text: str = SHOP, name: str = "shop.mock") -> str:
    """Write a program of the toy language; its path."""
    path = folder / name
    path.write_text(text)
    return str(path)
