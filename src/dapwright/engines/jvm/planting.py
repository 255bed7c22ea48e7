"""Breakpoints wanted, and the code they are planted in, as classes come and are replaced."""

import asyncio
import itertools
from collections.abc import Callable, Iterable, Sequence

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.connection import JdwpError
from dapwright.engines.jvm.machine import LoadedType, Machine
from dapwright.engines.jvm.places import (
    Spot,
    function_spots,
    line_spots,
    matches,
    means,
    read_address,
)
from dapwright.engines.jvm.planted import Breakpoint
from dapwright.engines.jvm.signatures import INTERNAL, name_of

AT_ONCE = 500
"""Classes that are asked about at the same time."""


class Plant:
    """Keeps every breakpoint in the code where it belongs."""

    def __init__(self, changed: Callable[[Breakpoint], None]) -> None:
        self._changed = changed
        self._ids = itertools.count(1)
        self.machine: Machine | None = None
        self.lines: dict[str, list[Breakpoint]] = {}
        self.functions: list[Breakpoint] = []
        self.entries: list[Breakpoint] = []
        self.extra_patterns: dict[str, Callable[[LoadedType], asyncio.Future[None] | object]] = {}
        self._by_request: dict[int, Breakpoint] = {}
        self._counted: dict[int, int] = {}
        """Requests whose hits the JVM counts, up to the one that it tells."""
        self._waits: dict[str, int] = {}
        self._lock = asyncio.Lock()

    def new_id(self) -> int:
        return next(self._ids)

    def all(self) -> Iterable[Breakpoint]:
        return itertools.chain(self.entries, *self.lines.values(), self.functions)

    def of(self, request: int) -> Breakpoint | None:
        return self._by_request.get(request)

    async def begin(self, machine: Machine) -> None:
        """Plant what was wanted before there was a JVM."""
        self.machine = machine
        await self._settle(list(self.all()))

    def end(self) -> None:
        """The JVM is gone; what was wanted stays wanted."""
        self.machine = None
        self._by_request.clear()
        self._waits.clear()
        for one in self.all():
            one.spots.clear()

    async def want_lines(self, path: str, wanted: Sequence[Breakpoint]) -> list[Breakpoint]:
        """Make `wanted` the breakpoints of a file; those that were there keep their hits."""
        old = self.lines.get(path, [])
        self.lines[path] = kept = _kept(old, wanted)
        await self._replace(old, kept)
        return kept

    async def want_functions(self, wanted: Sequence[Breakpoint]) -> list[Breakpoint]:
        """Make `wanted` the function breakpoints."""
        old, self.functions = self.functions, _kept(self.functions, wanted)
        await self._replace(old, self.functions)
        return self.functions

    async def want_entry(self, wanted: Sequence[Breakpoint]) -> None:
        old, self.entries = self.entries, _kept(self.entries, wanted)
        await self._replace(old, self.entries)

    async def _replace(self, old: list[Breakpoint], kept: list[Breakpoint]) -> None:
        for one in old:
            if one not in kept:
                await self._pull(one)
        fresh = [one for one in kept if one not in old]
        for one in fresh:
            one.id = one.id or self.new_id()
        if self.machine is not None:
            await self._settle(fresh)

    async def _pull(self, one: Breakpoint) -> None:
        requests, one.spots = list(one.spots), {}
        for request in requests:
            self._counted.pop(request, None)
            self._by_request.pop(request, None)
            if self.machine is not None:
                await self.machine.clear_request(Kind.BREAKPOINT, request)

    async def _settle(self, fresh: Sequence[Breakpoint]) -> None:
        """Wait for the classes of new breakpoints, and look at those loaded already."""
        await self._wait_for_classes()
        if fresh and self.machine is not None:
            patterns = {pattern for one in fresh for pattern in one.patterns()}
            named = [(one, name_of(one.signature)) for one in await self.machine.all_classes()]
            found = [(one, name) for one, name in named if any(matches(pattern, name) for pattern in patterns)]
            for at in range(0, len(found), AT_ONCE):
                batch = found[at : at + AT_ONCE]
                ask = self.machine.types.methods if self.functions else self.machine.types.source_file
                await asyncio.gather(*(ask(one.id) for one, _ in batch), return_exceptions=True)
                for one, name in batch:
                    await self._bind_all(one.id, name, fresh, tell=False)

    async def wait_for(self, pattern: str, then: Callable[[LoadedType], object]) -> None:
        """Have `then` called when a class of that name is prepared (awaited, if it can be)."""
        self.extra_patterns[pattern] = then
        if self.machine is not None:
            await self._wait_for_classes()

    async def _wait_for_classes(self) -> None:
        machine = self.machine
        if machine is None:
            return
        wanted = {p for one in self.all() for p in one.patterns()} | set(self.extra_patterns)
        fresh = list(wanted - set(self._waits))
        requests = await asyncio.gather(*(self._ask_for(machine, pattern) for pattern in fresh))
        self._waits |= dict(zip(fresh, requests, strict=True))
        for pattern in set(self._waits) - wanted:
            await machine.clear_request(Kind.CLASS_PREPARE, self._waits.pop(pattern))

    async def _ask_for(self, machine: Machine, pattern: str) -> int:
        rest = machine.modifiers()
        if pattern == "*":
            rest.class_exclude(*(package + "*" for package in INTERNAL))
        else:
            rest.class_match(pattern)
        return await machine.set_request(Kind.CLASS_PREPARE, Policy.THREAD, rest)

    async def prepared(self, loaded: LoadedType) -> None:
        """A class was prepared: plant in it before its code runs."""
        if self.machine is None:
            return
        self.machine.types.learn(loaded.id, loaded.signature)
        name = name_of(loaded.signature)
        await self._bind_all(loaded.id, name, list(self.all()), tell=True)
        for pattern, then in list(self.extra_patterns.items()):
            if matches(pattern, name):
                pending = then(loaded)
                if asyncio.iscoroutine(pending):
                    await pending

    def read_again(self) -> None:
        """Sources may have changed: read again which class each line belongs to."""
        for one in self.all():
            if one.address is not None:
                one.address = read_address(one.address.path)

    async def replant(self, types: Sequence[int]) -> None:
        """Classes were redefined: their breakpoints are gone, and belong where the new code has their lines."""
        if self.machine is None:
            return
        for one in self.all():
            gone = [request for request, spot in one.spots.items() if spot.location.type in types]
            for request in gone:
                await self.machine.clear_request(Kind.BREAKPOINT, request)
                del one.spots[request]
                self._by_request.pop(request, None)
        for type_id in types:
            await self._bind_all(type_id, await self.machine.types.name(type_id), list(self.all()), tell=True)

    async def _bind_all(self, type_id: int, name: str, wanted: Sequence[Breakpoint], *, tell: bool) -> None:
        async with self._lock:
            for one in wanted:
                if any(matches(pattern, name) for pattern in one.patterns()):
                    before = one.body()
                    await self._bind(one, type_id, name)
                    if tell and one.body() != before and not one.entry:
                        self._changed(one)

    async def _bind(self, one: Breakpoint, type_id: int, name: str) -> None:
        machine = self.machine
        if machine is None or any(spot.location.type == type_id for spot in one.spots.values()):
            return
        try:
            spots = await self._spots(one, machine, type_id, name)
        except JdwpError:
            return  # the class was unloaded meanwhile
        inexact = [request for request, spot in one.spots.items() if not spot.exact]
        if (
            spots
            and not spots[0].exact
            and any(kept.exact or kept.line != spots[0].line for kept in one.spots.values())
        ):
            return  # it has a better place, or one as good
        if spots and spots[0].exact and inexact:
            await self._pull(one)
        counted = one.counts is not None and not one.condition and not one.hits and len(spots) == 1 and not one.spots
        for spot in spots:
            try:
                await self._arm(one, spot, one.counts.first if counted and one.counts else 1)
            except DapwrightError as refused:
                one.refusal = str(refused)

    async def _arm(self, one: Breakpoint, spot: Spot, count: int) -> None:
        """Ask for a spot's events; the JVM passes over the first `count - 1`, and then tells one alone."""
        machine = self.machine
        if machine is None:
            return
        rest = machine.modifiers().location(spot.location)
        if count > 1:
            rest.count(count)
        policy = Policy.THREAD if one.log or one.condition or one.counts else one.policy
        request = await machine.set_request(Kind.BREAKPOINT, policy, rest)
        one.spots[request] = spot
        self._by_request[request] = one
        if count > 1:
            self._counted[request] = count

    async def hits_of(self, one: Breakpoint, request: int) -> int:
        """How many hits an event stands for; a spot that the JVM counted for us is armed again."""
        count = self._counted.pop(request, 1)
        spot = one.spots.get(request)
        if count > 1 and spot is not None and one.counts is not None and one.counts.next is not None:
            del one.spots[request], self._by_request[request]
            await self._arm(one, spot, one.counts.next)
        return count

    async def _spots(self, one: Breakpoint, machine: Machine, type_id: int, name: str) -> list[Spot]:
        if one.function:
            return await function_spots(one.function, machine.types, type_id)
        if one.address is None or one.address.excludes(name, one.line):
            return []
        if not await means(one.address, machine.types, type_id):
            return []
        spots = await line_spots(one.address, machine.types, type_id, one.line)
        owner = one.address.owner(one.line)
        if not spots and (not owner or owner == name):
            one.seen = name
        return spots


def _kept(old: list[Breakpoint], wanted: Sequence[Breakpoint]) -> list[Breakpoint]:
    """What is wanted, by the breakpoints that are there already where they are equal."""
    left = {one.key: one for one in old}
    return [left.pop(one.key, one) for one in wanted]
