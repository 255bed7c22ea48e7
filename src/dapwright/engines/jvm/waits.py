"""What one thread waits for, and who has it: monitors, locks, other threads, results that others make.

Rules from HotSpot: a thread that wants a monitor is `blocked`; one in `Object.wait` or parked is `waiting`, and the
object that it parks on is its `parkBlocker`; `Thread.join` waits on the `Thread` object itself.
"""

from collections.abc import Sequence

from msgspec import Struct, field

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.signatures import short
from dapwright.engines.jvm.spellings import Spellings, plain_type
from dapwright.engines.jvm.threads import JavaFrame

OWNERS = ("exclusiveOwnerThread", "runner", "firstReader")
"""Fields in which locks, tasks and read locks of java.util.concurrent keep the thread that has them."""
JOINS = ("join", "join0")


class Wait(Struct, frozen=True):
    """What a thread waits for; `owner` is the thread that has it, 0 where nobody is known to."""

    kind: str
    what: str = ""
    object: int = 0
    owner: int = 0


class Look(Struct):
    """A thread as it stood at one look, innermost frame first."""

    thread: int
    name: str
    state: str
    frames: Sequence[JavaFrame] = ()
    native: bool = False
    wait: Wait | None = None
    holds: dict[int, str] = field(default_factory=dict[int, str])


async def find_wait(machine: Machine, look: Look, names: Spellings) -> Wait | None:
    """What a suspended thread waits for; None where it runs."""
    if look.state == "running":
        method = await _top(machine, look)
        return Wait("native call", method) if look.native else None
    if look.state == "sleeping":
        return Wait("sleep")
    waited = (await machine.link.ask(codes.WAITED_MONITOR, machine.link.writer().object(look.thread))).tagged().value
    if waited:
        return await _monitor(machine, look, waited, names)
    blocker = (await machine.detail(look.thread, "parkBlocker")).value
    return await _parked(machine, blocker, names) if blocker else Wait("unpark") if look.state == "waiting" else None


async def _top(machine: Machine, look: Look) -> str:
    if not look.frames:
        return ""
    place = look.frames[0].location
    method = await machine.types.method(place.type, place.method)
    return f"{short(await machine.types.name(place.type))}.{method.name}" if method else ""


async def _monitor(machine: Machine, look: Look, waited: int, names: Spellings) -> Wait:
    reader = await machine.link.ask(codes.MONITOR_INFO, machine.link.writer().object(waited))
    owner = reader.object()
    if look.state == "blocked":
        return Wait("monitor", await names.of(waited), waited, owner)
    if await machine.types.is_a(await machine.type_of(waited), "Ljava/lang/Thread;") and await _joins(machine, look):
        return Wait("thread", "to end", waited, waited)
    return Wait("notification on", await names.of(waited), waited, owner)


async def _joins(machine: Machine, look: Look) -> bool:
    for frame in look.frames[:5]:
        method = await machine.types.method(frame.location.type, frame.location.method)
        if method and method.name in JOINS:
            return True
    return False


async def _parked(machine: Machine, blocker: int, names: Spellings) -> Wait:
    kind = await plain_type(machine, blocker)
    what = await names.of(blocker)
    for name in OWNERS:
        owner = (await machine.detail(blocker, name)).value
        if owner:
            return Wait("result of" if name == "runner" else "lock", what, blocker, owner)
    if kind == "FutureTask" and (await machine.detail(blocker, "state")).value == 0:  # NEW, as its source names it
        return Wait("result of", f"{what}, which no thread runs yet", blocker)
    return Wait("signal of", what, blocker)


async def find_holds(machine: Machine, look: Look, names: Spellings) -> dict[int, str]:
    """The monitors that a suspended thread has: {object: how it is called}."""
    try:
        reader = await machine.link.ask(codes.OWNED_MONITORS, machine.link.writer().object(look.thread))
    except DapwrightError:
        return {}
    owned = [reader.tagged().value for _ in range(reader.i32())]
    return {one: await names.of(one) for one in owned}
