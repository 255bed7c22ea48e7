"""Places that hold values, read and written: locals, fields, items of arrays."""

from collections.abc import Sequence

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.expressions_arithmetic import widens
from dapwright.engines.jvm.expressions_calls import Calls, Operand
from dapwright.engines.jvm.expressions_names import FieldOf, Local, Scope, TypeRef, UnknownName
from dapwright.engines.jvm.machine import CALL_SECONDS
from dapwright.engines.jvm.packets import NULL, Value
from dapwright.engines.jvm.signatures import name_of, signature_of
from dapwright.engines.jvm.types import Method

Place = Local | FieldOf | tuple[int, int, str]
"""Where a value can be put: a local, a field, or (array, index, the items' signature)."""


class Places:
    """The places of one frame."""

    def __init__(self, scope: Scope, seconds: float = CALL_SECONDS) -> None:
        self.scope = scope
        self.machine = scope.machine
        self.calls = Calls(scope.machine, scope.thread, seconds)

    def done(self) -> None:
        """Let go of what the evaluation kept."""
        self.calls.done()

    async def read(self, place: Place) -> Value:
        """The value in a place."""
        match place:
            case Local(slot):
                return await self.scope.read_local(slot)
            case FieldOf(owner, field) if field.is_static:
                return (await self.machine.read_statics(field.type, [field]))[0]
            case FieldOf(owner, field):
                return (await self.machine.read_fields(owner, [field]))[0]
        return (await self.machine.array_items(place[0], place[1], 1))[0]

    async def outer(self, target: TypeRef) -> Value:
        signature = await self.machine.types.signature(target.type)
        this = await self.scope.this()
        while this.value:
            type_id = await self.machine.type_of(this.value)
            if await self.machine.types.is_a(type_id, signature):
                return this
            outer = [f for f in await self.machine.types.fields(type_id) if f.name.startswith("this$")]
            this = (await self.machine.read_fields(this.value, outer))[0] if outer else NULL
        raise UsageError(f"no `{name_of(signature)}` encloses this code, or the compiler left it out")

    async def field(self, target: Operand, name: str) -> FieldOf:
        real = await self.calls.real(target)
        if not real.is_object:
            raise UsageError(f"a {name_of(real.tag)} has no field `{name}`")
        if not real.value:
            raise UsageError(f"java.lang.NullPointerException: `{name}` of null")
        type_id = await self.machine.type_of(real.value)
        for one in await self.machine.types.ancestry(type_id):
            for field in await self.machine.types.fields(one):
                if field.name == name:
                    return FieldOf(0 if field.is_static else real.value, field)
        raise UnknownName(f"`{await self.machine.types.name(type_id)}` has no field `{name}`")

    async def getter(self, target: Operand, name: str) -> Method | None:
        """What `order.total` calls where the language of the frame has no brackets for it (not in Java)."""
        if (await self.machine.types.source_file((await self.scope.frame()).location.type)).endswith(".java"):
            return None
        type_id = await self.machine.type_of((await self.calls.real(target)).value)
        wanted = (name, f"get{name[:1].upper()}{name[1:]}", f"is{name[:1].upper()}{name[1:]}")
        for one in await self.machine.types.ancestry(type_id):
            for method in await self.machine.types.methods(one):
                if method.name in wanted and method.signature.startswith("()") and not method.is_static:
                    return method
        return None

    async def static_call(self, type_id: int, name: str, args: Sequence[Operand]) -> Operand:
        """A static method; Kotlin's companion and Scala's object of the class are asked after it."""
        try:
            method, on = await self.calls.choose(type_id, name, args, static=True), 0
        except UsageError:
            single = await self._companion(type_id)
            if not single:
                raise
            method, on = await self.calls.choose(await self.machine.type_of(single), name, args, static=False), single
        return await self.calls.call(method, args, on=on)

    async def _companion(self, type_id: int) -> int:
        name = await self.machine.types.name(type_id)
        twins = [one.id for one in await self.machine.classes(signature_of(name + "$"))]
        for owner, called in [(type_id, "Companion"), (type_id, "INSTANCE"), *((twin, "MODULE$") for twin in twins)]:
            for field in await self.machine.types.fields(owner):
                if field.name == called and field.is_static and name_of(field.signature).startswith(name):
                    return int((await self.machine.read_statics(owner, [field]))[0].value)
        return 0

    async def item(self, array: Operand, index: Operand) -> Place:
        signature = await self.calls.signature(array)
        if not isinstance(array, Value) or not signature.startswith("["):
            raise UsageError("only an array has items by number", "call `.get(...)` on a list or a map")
        if not isinstance(index, Value) or not widens(index.tag, "I"):
            raise UsageError("an array's index is an int")
        size = await self.machine.array_length(array.value)
        if not 0 <= index.value < size:
            raise UsageError(
                f"java.lang.ArrayIndexOutOfBoundsException: index {index.value} out of bounds for length {size}"
            )
        return (array.value, index.value, signature[1:])

    async def write(self, place: Place, value: Operand) -> Value:
        """Put a value, made to fit, into a place; returns what was put."""
        match place:
            case Local(slot):
                fitted = await self.calls.fit(value, slot.signature)
                frame = await self.scope.frame()
                await self.machine.set_frame_value(self.scope.thread, frame, slot, fitted)
            case FieldOf(owner, field):
                fitted = await self.calls.fit(value, field.signature)
                await self.machine.write_field(owner, field, fitted)
            case (array, index, signature):
                fitted = await self.calls.fit(value, signature)
                await self.machine.set_array_item(array, index, fitted)
        return fitted
