"""Which coroutine a Kotlin frame belongs to, read from its continuation's context: nothing is called for it."""

from collections.abc import Sequence

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.threads import JavaFrame
from dapwright.engines.jvm.types import Slot

CONTINUATION = "Lkotlin/coroutines/Continuation;"
HELD = ("$continuation", "$completion")
"""Locals in which a suspending function holds its own continuation, and that of its caller."""
ELEMENTS = 20
"""Elements of a context that are looked at."""


async def coroutine_of(machine: Machine, thread: int, frame: JavaFrame, this: Value, slots: Sequence[Slot]) -> str:
    """`name#id` as kotlinx.coroutines writes it (the number only in its debug mode); "" where there is none."""
    try:
        held = [slot for name in HELD for slot in slots if slot.name == name]
        values = await machine.frame_values(thread, frame, held)
        if this.value and await machine.types.is_a(await machine.type_of(this.value), CONTINUATION):
            values.append(this)
        for value in values:
            if value.value and (context := await _context(machine, value.value)):
                return await _described(machine, context)
    except DapwrightError:
        pass  # it is an extra: the other locals are told without it
    return ""


async def _context(machine: Machine, continuation: int) -> int:
    for name in ("_context", "context"):
        if found := (await machine.detail(continuation, name)).value:
            return int(found)
    return 0


async def _described(machine: Machine, context: int) -> str:
    name, number = "", ""
    for element in await _elements(machine, context):
        match await machine.types.name(await machine.type_of(element)):
            case "kotlinx.coroutines.CoroutineName":
                name = await machine.string((await machine.detail(element, "name")).value)
            case "kotlinx.coroutines.CoroutineId":
                number = f"#{(await machine.detail(element, 'id')).value}"
    return (name or "coroutine") + number if name or number else ""


async def _elements(machine: Machine, context: int) -> list[int]:
    """The elements of a context: a list that goes on to the left."""
    found: list[int] = []
    while context and len(found) < ELEMENTS:
        element = (await machine.detail(context, "element")).value
        left = (await machine.detail(context, "left")).value
        found.append(element if left else context)
        context = left
    return found
