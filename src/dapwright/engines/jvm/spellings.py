"""How the program's own code calls an object: by a field of a frame's class or of `this`, else by a local."""

from collections.abc import Sequence

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm.expressions_names import Scope
from dapwright.engines.jvm.handles import FrameHandle
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.signatures import short

DEEP = 3
"""Frames whose names are looked at."""
LOCKS = "java.util.concurrent."
PARTS = ("sync", "lock")
"""Fields by which what people name (`ReentrantLock`) holds what threads park on (its `Sync`)."""
SUFFIXES = (".NonfairSync", ".FairSync", ".Sync", ".Signaller", ".WaitNode")


class Spellings:
    """The names of objects in a thread's innermost frames of the program (given by their depths)."""

    def __init__(self, machine: Machine, thread: int, depths: Sequence[int]) -> None:
        self.machine = machine
        self._thread = thread
        self._depths = depths[:DEEP]
        self._names: dict[int, str] | None = None

    async def of(self, object_id: int) -> str:
        """`left (Object@12)` where the code has a name for it, else `Object@12`."""
        if self._names is None:
            self._names = {}
            for depth in self._depths:
                await self._learn(FrameHandle(self._thread, depth))
        plain = f"{await plain_type(self.machine, object_id)}@{object_id}"
        return f"{self._names[object_id]} ({plain})" if object_id in self._names else plain

    async def _learn(self, handle: FrameHandle) -> None:
        try:
            scope = Scope(self.machine, handle)
            frame = await scope.frame()
            owner = short(await self.machine.types.name(frame.location.type))
            await self._fields(owner, 0, frame.location.type)
            this = await scope.this()
            if this.value:
                await self._fields("this", this.value, await self.machine.type_of(this.value))
                await self._keep("this", this)
            slots = [slot for slot in await scope.slots() or [] if slot.signature[0] in "L["]
            values = await self.machine.frame_values(handle.thread, frame, slots)
            for slot, value in zip(slots, values, strict=True):
                await self._keep(slot.name, value)
        except DapwrightError:
            return  # the names are an extra: a frame that tells nothing leaves the object its type

    async def _fields(self, prefix: str, object_id: int, type_id: int) -> None:
        fields = [f for f in await self.machine.types.fields(type_id) if f.signature[0] in "L["]
        fields = [f for f in fields if f.is_static == (object_id == 0)]
        read = self.machine.read_fields(object_id, fields) if object_id else self.machine.read_statics(type_id, fields)
        for one, value in zip(fields, await read, strict=True):
            await self._keep(f"{prefix}.{one.name}", value)

    async def _keep(self, name: str, value: Value) -> None:
        names = self._names
        if names is None or not value.value or value.value in names:
            return
        names[value.value] = name
        if (await self.machine.types.name(await self.machine.type_of(value.value))).startswith(LOCKS):
            for part in PARTS:
                inner = (await self.machine.detail(value.value, part)).value
                if inner:
                    names.setdefault(inner, name)


async def plain_type(machine: Machine, object_id: int) -> str:
    """An object's class as people say it: the inner parts of a lock are told as the lock."""
    name = short(await machine.types.name(await machine.type_of(object_id)))
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return "Condition" if name.endswith(".ConditionObject") else name
