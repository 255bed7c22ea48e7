"""Builds that outlast a call: each belongs to the server, and whoever needs it waits for it.

One command in one folder with one environment is one build: who asks for it while it runs joins it.
It ends, with all its processes, when it is done, when the last who waits is cancelled, when it is
cancelled by its id, when nobody came back for it in time, and with the server. A call whose time is
up leaves it running and *keeps* it: then its result waits, and serves the same client once, unless a
source has changed since it began.
"""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

from dapwright import bounds, freshness, guard, transport
from dapwright.core import redact
from dapwright.core.errors import BuildError, BuildPending
from dapwright.core.model import Ran, Raw, Run
from dapwright.policy.permit import Permit

EVERY_SECONDS = 5.0
"""How often those who wait are told how far it is."""
LIMIT_SECONDS = 3600.0
"""How long a build may take that is waited for."""
KEPT_SECONDS = 600.0
"""How long one runs, or its result waits, for a call that comes back."""
MOST_BYTES = 32_000_000
"""What is kept of each stream: its beginning, and as much of its end."""
LINE = 160
"""Characters of its last line that are told."""


class Heard:
    """What a stream brought: all of it, or its two ends where it is too long."""

    def __init__(self) -> None:
        self._head, self._tail = bytearray(), bytearray()
        self._cut = False

    def take(self, data: bytes) -> None:
        """Add what was read."""
        room = MOST_BYTES // 2 - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        if (over := len(self._tail) - MOST_BYTES // 2) > 0:
            self._cut = True
            del self._tail[:over]

    def text(self) -> str:
        """All that is kept."""
        middle = b"\n... (cut)\n" if self._cut else b""
        return bytes(self._head + middle + self._tail).decode(errors="replace")


class Build:
    """One build, running or over."""

    def __init__(self, number: int, key: str, wanted: Run) -> None:
        self.id = f"build{number}"
        self.key = key
        self.wanted = wanted
        self.began = freshness.now()
        self.since = asyncio.get_running_loop().time()
        self.mark = f"{guard.OWNER}:{self.id};"
        self.last = ""
        """The last line that it printed."""
        self.waiting = 0
        """How many wait for it now."""
        self.keepers: set[str] = set()
        """The clients whose call ran out of time, and may come back."""
        self.heard = {1: Heard(), 2: Heard()}
        self.took: float | None = None
        self.again = False
        """It was begun since a source had changed under the one before: whoever waits takes it, and is told."""
        self.task: asyncio.Task[Ran]
        self.expiry: asyncio.TimerHandle | None = None

    @property
    def over(self) -> bool:
        return self.task.done()

    @property
    def command(self) -> str:
        return str(redact.text(" ".join(self.wanted.argv)))[:200]

    @property
    def seconds(self) -> float:
        """How long it has taken so far, or took."""
        return self.took if self.took is not None else asyncio.get_running_loop().time() - self.since

    def words(self) -> str:
        """How far it is."""
        said = f", last line `{self.last}`" if self.last else ""
        return f"still building: `{self.command}`, {self.seconds:.0f} s so far{said}"

    def facts(self) -> dict[str, Any]:
        """It as a row."""
        return {"id": self.id, "command": self.command, "seconds": round(self.seconds), "lastLine": self.last}

    def hear(self, fd: int, data: bytes) -> None:
        """Take what it printed; cargo's messages for programs are no line for a reader."""
        self.heard[fd].take(data)
        lines = [line.strip() for line in data[-4000:].decode(errors="replace").replace("\r", "\n").split("\n")]
        if told := [line for line in lines if line and not line.startswith("{")]:
            self.last = str(redact.value("", Raw(told[-1])))[:LINE]

    def pending(self) -> BuildPending:
        """What a call says whose time is up."""
        left = BuildPending(
            f"{self.words()}; make the same call again to go on waiting, "
            f'close_debug_session {{sessionId: "{self.id}"}} cancels it'
        )
        left.facts = {"sessionId": self.id, "build": self.facts()}
        return left


class Builds:
    """The builds of one server."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._all: dict[str, Build] = {}

    def __iter__(self) -> Any:
        return iter(list(self._all.values()))

    def find(self, identity: str, *, client: str) -> Build | None:
        """The build of that id, where it runs, or waits, for this client."""
        return next((one for one in self if one.id == identity and client in one.keepers), None)

    async def run(
        self, permit: Permit, *, wanted: Run, client: str, hear: Callable[[Build], None]
    ) -> tuple[Ran, Build, str]:
        """Wait for a build: the one that runs, the kept one whose sources are unchanged, else a new one.

        Answers how it ended, the build, and a source that changed meanwhile where a second build did not
        settle that. `hear` is called with it at once, and every 5 s.

        Raises:
            BuildPending: this call's time is up; the build goes on.
            BuildError: it was cancelled, or took too long.
            SetupError: its command cannot be started.
        """
        key, again = permit.request.key, False
        while True:
            build = self._all.get(key)
            joins = build is not None
            if build is None or (build.over and not self._serves(build, client)):
                build, joins = self._start(key, wanted, permit), False
                build.again = again
            ran = await self._wait(build, client, hear)
            stale = (
                await asyncio.to_thread(freshness.changed, wanted.cwd, wanted.argv, build.began)
                if joins or again
                else ""
            )
            if not stale or build.again:
                return ran, build, stale
            again = True
            self._forget(build)

    def _serves(self, build: Build, client: str) -> bool:
        return client in build.keepers and not build.task.cancelled()

    def _start(self, key: str, wanted: Run, permit: Permit) -> Build:
        build = self._all[key] = Build(next(self._numbers), key, wanted)
        build.task = asyncio.get_running_loop().create_task(self._work(build, permit), name=build.id)
        build.task.add_done_callback(lambda task: self._ended(build, task))
        return build

    def _ended(self, build: Build, task: asyncio.Task[Ran]) -> None:
        build.took = build.seconds
        if not task.cancelled():
            task.exception()  # taken: nobody may be waiting for it
        if task.cancelled() or not build.keepers:
            self._forget(build)

    def _forget(self, build: Build) -> None:
        if build.expiry is not None:
            build.expiry.cancel()
        if self._all.get(build.key) is build:
            del self._all[build.key]

    async def _work(self, build: Build, permit: Permit) -> Ran:
        wanted = build.wanted
        try:
            process = await transport.spawn(wanted.argv, cwd=wanted.cwd, env=wanted.env, permit=permit, mark=build.mark)
            process.listen(1, lambda data: build.hear(1, data))
            process.listen(2, lambda data: build.hear(2, data))
            process.close_input()
            try:
                code = await asyncio.wait_for(asyncio.shield(process.ended), LIMIT_SECONDS)
                process.drain()
            except TimeoutError:
                said = f"`{build.command}` did not end within {LIMIT_SECONDS:g} s"
                raise BuildError(said, "run it by hand once") from None
            finally:
                await process.kill() if process.running else process.close()
        finally:
            transport.kill_marked(build.mark)  # a daemon that it left, or what was begun as it was cancelled
        return Ran(code, build.heard[1].text(), build.heard[2].text())

    async def _wait(self, build: Build, client: str, hear: Callable[[Build], None]) -> Ran:
        build.keepers.discard(client)
        build.waiting += 1
        try:
            while not build.over:
                hear(build)
                left = bounds.left(EVERY_SECONDS)
                if left <= 0:
                    self.keep(build, client)
                    raise build.pending()
                await asyncio.wait([build.task], timeout=left)
        except asyncio.CancelledError:
            if build.waiting == 1 and not build.keepers:
                await self._end(build)
            raise
        finally:
            build.waiting -= 1
            if build.over and not build.keepers:
                self._forget(build)
        if build.task.cancelled():
            raise BuildError(f"the build `{build.command}` was cancelled", "make the call again to build anew")
        return build.task.result()

    def keep(self, build: Build, client: str) -> None:
        """Have a build run on, or its result wait, until this client comes back for it."""
        build.keepers.add(client)
        if self._all.setdefault(build.key, build) is not build:
            return
        if build.expiry is not None:
            build.expiry.cancel()
        build.expiry = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._expire, build)

    def _expire(self, build: Build) -> None:
        build.keepers.clear()
        if not build.waiting:
            self._forget(build)
            build.task.cancel()

    async def release(self, client: str, identity: str = "") -> Build | None:
        """Keep a build for a client no longer, or all that it has; one that nobody wants ends.

        Returns one that was kept for it, None where there is none.
        """
        found = None
        for build in self:
            if client not in build.keepers or identity not in ("", build.id):
                continue
            found = build
            build.keepers.discard(client)
            if not build.keepers and not build.waiting:
                self._forget(build)
                await self._end(build)
        return found

    async def close(self) -> None:
        """End them all: the server goes."""
        await asyncio.gather(*(self._end(build) for build in self))

    async def _end(self, build: Build) -> None:
        """End a build with all its processes; return when they are gone."""
        build.task.cancel()
        await asyncio.wait([build.task], timeout=10)
