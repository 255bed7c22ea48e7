"""Who waits for what, and who has it: the data of a hang."""

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.looking import function_name
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.signatures import is_internal, short

OWNERS = ("exclusiveOwnerThread",)
"""Fields in which the locks of java.util.concurrent keep their owner."""


@REQUESTS.on("dapwright/monitors", dict)
async def monitors(session: Session, _: Body) -> Body:
    """Each thread: its state, where it stands, what it waits for and who owns that, what it holds.

    A running program is suspended for the look and resumed after it.
    """
    jvm = session.live
    running = not jvm.stops.held_all
    if running:
        await jvm.machine.suspend()
    try:
        told = [await _thread(session, thread) for thread in await jvm.machine.threads()]
    finally:
        if running:
            await jvm.machine.resume()
    threads = [one for one in told if one]
    return {"threads": threads, "cycles": cycles({one["id"]: one.get("ownerId") for one in threads})}


async def _thread(session: Session, thread: int) -> Body | None:
    machine = session.live.machine
    try:
        name = await machine.thread_name(thread)
        state, _ = await machine.thread_state(thread)
    except DapwrightError:
        return None
    told: Body = {"id": session.thread_number(thread), "name": name, "state": state}
    place = await _place(machine, thread)
    told |= {"at": place} if place else {}
    try:
        waits = (await machine.link.ask(codes.WAITED_MONITOR, machine.link.writer().object(thread))).tagged().value
        reader = await machine.link.ask(codes.OWNED_MONITORS, machine.link.writer().object(thread))
        owned = [reader.tagged().value for _ in range(reader.i32())]
    except DapwrightError:
        return told
    if owned:
        told["holds"] = [await _named(machine, one) for one in owned]
    waited, owner = await _awaited(machine, thread, waits)
    told |= {"waitsFor": await _named(machine, waited)} if waited else {}
    if owner:
        told |= {"ownerId": session.thread_number(owner), "owner": await machine.thread_name(owner)}
    return told


async def _awaited(machine: Machine, thread: int, monitor: int) -> tuple[int, int]:
    """What a thread waits for, and its owner: a monitor, else a lock that it is parked on."""
    if monitor:
        reader = await machine.link.ask(codes.MONITOR_INFO, machine.link.writer().object(monitor))
        return monitor, reader.object()
    blocker = (await machine.detail(thread, "parkBlocker")).value
    if not blocker:
        return 0, 0
    for name in OWNERS:
        owner = (await machine.detail(blocker, name)).value
        if owner:
            return blocker, owner
    return blocker, 0


async def _named(machine: Machine, object_id: int) -> str:
    name = await machine.types.name(await machine.type_of(object_id))
    return f"{short(name)}@{object_id}"


async def _place(machine: Machine, thread: int) -> str:
    """The innermost code of the program that the thread is in, else where it is at all."""
    try:
        frames = await machine.frames(thread)
    except DapwrightError:
        return ""
    first = ""
    for frame in frames:
        name = await machine.types.name(frame.location.type)
        method = await machine.types.method(frame.location.type, frame.location.method)
        if method is None:
            continue
        line = await machine.types.line_of(frame.location)
        place = function_name(name, method) + (f":{line}" if line else "")
        first = first or place
        if not is_internal(name):
            return place
    return first


def cycles(owners: "dict[int, int | None]") -> list[list[int]]:
    """Threads that wait for each other in a ring: {thread: the one it waits for}."""
    found: list[list[int]] = []
    done: set[int] = set()
    for start in owners:
        path: list[int] = []
        at: int | None = start
        while at is not None and at not in done and at not in path:
            path.append(at)
            at = owners.get(at)
        if at in path:
            found.append(path[path.index(at) :])
        done.update(path)
    return found
