"""Why nothing moves: each thread with what it waits for and what it holds, as rows of core/waits.py.

A program that runs is suspended for each of a few looks and resumed after it: a thread that runs Java code in every
one is busy, one that is in native code in every one is there to wait (the JVM cannot tell more).
"""

import asyncio
from collections.abc import Collection

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.exceptions import is_foreign
from dapwright.engines.jvm.looking import function_name
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.packets import Location
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.spellings import Spellings
from dapwright.engines.jvm.types import Method
from dapwright.engines.jvm.waits import Look, find_holds, find_wait

LOOKS = 3
BETWEEN = 0.05
"""Seconds from one look to the next."""
MONITORENTER = 0xC2
SHOWN = 4
"""Frames told of a thread."""
OF_THE_JVM = frozenset(["system", "InnocuousThreadGroup", "CarrierThreads"])
"""Groups of threads that the JVM has for itself."""


@REQUESTS.on("dapwright/waits", dict)
async def monitors(session: Session, _: Body) -> Body:
    """Every thread of the program; `paused` where it stood already, and so was looked at once."""
    jvm = session.live
    paused = bool(jvm.stops.held_all)
    seen: dict[int, list[bool]] = {}
    for _again in range(0 if paused else LOOKS - 1):
        await jvm.machine.suspend()
        try:
            for look in await _looks(jvm.machine, frames=1):
                if look.state == "running":
                    seen.setdefault(look.thread, []).append(look.native)
        finally:
            await jvm.machine.resume()
        await asyncio.sleep(BETWEEN)  # the program is to run on between two looks
    if not paused:
        await jvm.machine.suspend()
    try:
        looks = await _looks(jvm.machine, frames=-1)
        busy = {one.thread for one in looks if not paused and _is_busy(one, seen.get(one.thread, []))}
        return {"threads": await _rows(session, looks, busy), "paused": paused} | await _unseen(session)
    finally:
        if not paused:
            await jvm.machine.resume()


def _is_busy(look: Look, before: list[bool]) -> bool:
    """Tell whether a thread ran at every look, and not always in native code."""
    return look.state == "running" and len(before) == LOOKS - 1 and not all([*before, look.native])


async def _looks(machine: Machine, *, frames: int) -> list[Look]:
    """Every living thread of the program, with its innermost `frames` (-1: all); the VM is suspended."""
    found = await asyncio.gather(*(_look(machine, thread, frames) for thread in await machine.threads()))
    return [look for look in found if look is not None]


async def _look(machine: Machine, thread: int, frames: int) -> Look | None:
    try:
        state, _ = await machine.thread_state(thread)
        if state == "ended" or await machine.thread_group(thread) in OF_THE_JVM:
            return None
        look = Look(thread, await machine.thread_name(thread), state)
        if thread not in machine.calling:
            look.frames = await (machine.frames(thread) if frames < 0 else machine.top(thread, frames))
    except DapwrightError:
        return None  # it ended meanwhile
    if look.frames:
        place = look.frames[0].location
        method = await machine.types.method(place.type, place.method)
        look.native = method is not None and bool(method.flags & codes.NATIVE)
    return look


async def _rows(session: Session, looks: list[Look], busy: Collection[int]) -> list[Body]:
    machine = session.live.machine
    rows = {look.thread: await _row(session, look) for look in looks}
    for look in looks:
        row = rows[look.thread]
        if look.thread in session.live.stops.held:
            row["state"] = "paused"  # at a stop of its own, while the others run
        elif look.thread in busy:
            row["ran"] = LOOKS
        elif look.wait:
            wait = look.wait
            row["wait"] = {"kind": wait.kind, "for": wait.what, "id": str(wait.object) if wait.object else None}
            owner = rows.get(wait.owner)
            if owner is None and wait.owner:
                owner = await _owner(session, machine, wait.owner)
                rows[wait.owner] = owner
            if owner:
                row["wait"]["thread" if wait.kind == "thread" else "owner"] = owner["ident"]
                if wait.kind == "lock":
                    owner["held"].setdefault(str(wait.object), {"lock": wait.what})
    return list(rows.values())


async def _owner(session: Session, machine: Machine, thread: int) -> Body:
    """A thread that was not looked at (a virtual one the JVM does not list), as the holder of something."""
    number = session.thread_number(thread)
    try:
        state, _ = await machine.thread_state(thread)
        name = await machine.thread_name(thread)
    except DapwrightError:
        state, name = "unknown", ""
    return {"ident": number, "name": name or f"virtual thread {number}", "state": state, "held": {}}


async def _row(session: Session, look: Look) -> Body:
    machine, number = session.live.machine, session.thread_number(look.thread)
    row: Body = {"ident": number, "name": look.name or f"virtual thread {number}", "state": look.state, "held": {}}
    names = [await machine.types.name(frame.location.type) for frame in look.frames]
    own = [depth for depth, name in enumerate(names) if not is_foreign(name)]
    spellings = Spellings(machine, look.thread, own)
    try:
        look.wait = await find_wait(machine, look, spellings)
        look.holds = await find_holds(machine, look, spellings)
    except DapwrightError:
        pass  # it is in a call of ours, or ended: where it stands is told all the same
    row["held"] = {str(one): {"lock": name} for one, name in look.holds.items()}
    first = own[0] if own else 0
    stack = [await _place(machine, look, depth) for depth in range(first, min(first + SHOWN, len(look.frames)))]
    return row | ({**stack[0], "stack": stack} if stack else {})


async def _place(machine: Machine, look: Look, depth: int) -> Body:
    place = look.frames[depth].location
    name = await machine.types.name(place.type)
    method = await machine.types.method(place.type, place.method)
    if method and depth == 0 and look.state == "blocked":
        place = await _entering(machine, place, method)
    line = await machine.types.line_of(place)
    mapped = (await machine.types.source_map(place.type)).place(line)
    file = mapped[0] if mapped else await machine.types.source_file(place.type)
    function = function_name(name, method, file) if method else f"{name}.<obsolete>"
    return {"function": function, "file": file or "?", "line": (mapped[1] if mapped else line) or "?"}


async def _entering(machine: Machine, place: Location, method: Method) -> Location:
    """Where a thread that wants a monitor stands: HotSpot's interpreter is past the instruction that takes it."""
    code = await machine.types.code(method)
    before = place.index - 1
    if 0 <= before < len(code) and code[before] == MONITORENTER:
        return Location(place.tag, place.type, place.method, before)
    return place


async def _unseen(session: Session) -> Body:
    """What to say where virtual threads run and the JVM lists none."""
    machine = session.live.machine
    listed = await machine.threads()
    carriers = [one for one in listed if await machine.thread_group(one) == "CarrierThreads"]
    if not carriers or any([await machine.is_virtual(one) for one in listed]):
        return {}
    return {
        "note": "virtual threads run, and this JVM lists none: "
        "launch it with `adapterLaunchConfig: {virtualThreads: true}`, "
        "or with `-agentlib:jdwp=...,includevirtualthreads=y`"
    }
