"""Objects read by the names of their fields, and what a collection is made of."""

from collections.abc import Awaitable, Callable

from msgspec import Struct, field

from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.types import Field

MOST = 100_000
"""No chain of nodes is followed further: a damaged one may go round."""


class Contents(Struct):
    """Items of a list (pairs without a key) or of a map."""

    size: int
    is_map: bool = False
    items: list[tuple[Value | None, Value]] = field(default_factory=list[tuple[Value | None, Value]])


Read = Callable[["Reading", int, int], Awaitable[Contents | None]]


class Reading:
    """Reads fields of objects by name."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    async def fields(self, object_id: int, *names: str) -> list[Value | None]:
        """Values of the named fields, from the object's class upwards; None where there is no such field."""
        types = self.machine.types
        found: dict[str, Field] = {}
        for type_id in await types.ancestry(await self.machine.type_of(object_id)):
            for one in await types.fields(type_id):
                if one.name in names and not one.is_static:
                    found.setdefault(one.name, one)
        order = [found[name] for name in names if name in found]
        values = dict(zip([one.name for one in order], await self.machine.read_fields(object_id, order), strict=True))
        return [values.get(name) for name in names]

    async def one(self, object_id: int, name: str) -> Value | None:
        return (await self.fields(object_id, name))[0]


def number(value: Value | None) -> int:
    return int(value.value) if value is not None and not value.is_object else 0


def listed(size: int, values: list[Value]) -> Contents:
    return Contents(size, False, [(None, value) for value in values])


def array_list(items: str, size: str = "") -> Read:
    """A list over an array field, with its size in another field, or the array's own."""

    async def read(reading: Reading, object_id: int, most: int) -> Contents | None:
        held, count = await reading.fields(object_id, items, size or items)
        if held is None or not held.is_object or not held.value:
            return listed(0, [])
        length = await reading.machine.array_length(held.value)
        total = min(number(count), length) if size else length
        return listed(total, await reading.machine.array_items(held.value, 0, min(total, most)))

    return read
