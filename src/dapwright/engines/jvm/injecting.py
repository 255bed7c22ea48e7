"""Classes defined in a running program."""

from collections.abc import Mapping

from dapwright.core.errors import AdapterError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.expressions_calls import Calls, Operand
from dapwright.engines.jvm.expressions_names import load_class
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.signatures import parameters
from dapwright.engines.jvm.types import Method


async def define_hidden(calls: Calls, host: int, data: bytes) -> int:
    """Define a hidden class that is a nest mate of the class `host`; returns its id."""
    machine = calls.machine
    lookups = await _class(calls, "java.lang.invoke.MethodHandles$Lookup")
    trusted = next(f for f in await machine.types.fields(lookups) if f.name == "IMPL_LOOKUP")
    lookup = (await machine.read_statics(lookups, [trusted]))[0]
    writer = machine.link.writer().type(host)
    mirror = Value("c", (await machine.link.ask(codes.CLASS_OBJECT, writer)).object())
    inside = await calls.call(await _method(calls, lookups, "in", 1), [mirror], on=lookup.value)
    options = await _class(calls, "java.lang.invoke.MethodHandles$Lookup$ClassOption")
    mate = next(f for f in await machine.types.fields(options) if f.name == "NESTMATE")
    nest = (await machine.read_statics(options, [mate]))[0]
    array = await _option_array(calls, nest)
    define = await _method(calls, lookups, "defineHiddenClass", 3)
    fitted = [await bytes_in(calls, data), Value("Z", True), array]
    made = await machine.call(calls.thread, define, fitted, on=inside.value, seconds=calls.seconds)
    await calls.hold(made)
    mirror = await calls.call(await _method(calls, lookups, "lookupClass", 0), [], on=made.value)
    return await reflected(calls, mirror)


async def _option_array(calls: Calls, nest: Value) -> Value:
    """`ClassOption[]{NESTMATE}`, by `Array.newInstance`: its class may not be loaded yet."""
    machine = calls.machine
    signature = "[Ljava/lang/invoke/MethodHandles$Lookup$ClassOption;"
    if await machine.classes(signature):
        return await calls.array(signature, [nest])
    arrays = await _class(calls, "java.lang.reflect.Array")
    writer = machine.link.writer().type(await machine.type_of(nest.value))
    mirror = Value("c", (await machine.link.ask(codes.CLASS_OBJECT, writer)).object())
    new = next(
        m
        for m in await machine.types.methods(arrays)
        if (m.name, m.signature) == ("newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;")
    )
    made = await calls.hold(await machine.call(calls.thread, new, [mirror, Value("I", 1)], seconds=calls.seconds))
    await machine.set_array_item(made.value, 0, nest)
    return made


async def define_plain(calls: Calls, host: int, classes: Mapping[str, bytes], name: str) -> int:
    """Define classes by the loader of the class `host`; returns the id of the one called `name`."""
    machine = calls.machine
    loader = (await machine.link.ask(codes.CLASS_LOADER, machine.link.writer().type(host))).object()
    if not loader:
        raise AdapterError("code of the platform's own loader cannot be given lambdas or classes")
    owner = await machine.type_of(loader)
    for one, data in classes.items():
        for type_id in await machine.types.ancestry(owner):
            found = [
                m
                for m in await machine.types.methods(type_id)
                if (m.name, m.signature) == ("defineClass", "(Ljava/lang/String;[BII)Ljava/lang/Class;")
            ]
            if found:
                args: list[Operand] = [one, await bytes_in(calls, data), Value("I", 0), Value("I", len(data))]
                await calls.call(found[0], args, on=loader)
                break
    loaded = await load_class(machine, calls.thread, name, loader)
    if not loaded:
        raise AdapterError(f"the program's class loader does not give back `{name}`")
    return loaded


async def bytes_in(calls: Calls, data: bytes) -> Value:
    """A `byte[]` in the program."""
    machine = calls.machine
    array = await calls.hold(await machine.new_array((await machine.classes("[B"))[0].id, len(data)))
    writer = machine.link.writer().object(array.value).i32(0).i32(len(data)).raw(data)
    await machine.link.ask(codes.ARRAY_SET, writer)
    return array


async def reflected(calls: Calls, mirror: Value) -> int:
    """The class that a `Class` object stands for."""
    reader = await calls.machine.link.ask(codes.REFLECTED, calls.machine.link.writer().object(mirror.value))
    reader.byte()
    return reader.type()


async def _class(calls: Calls, name: str) -> int:
    type_id = await load_class(calls.machine, calls.thread, name, 0)
    if not type_id:
        raise AdapterError(f"this JVM has no `{name}`")
    return type_id


async def _method(calls: Calls, type_id: int, name: str, count: int) -> Method:
    for method in await calls.machine.types.methods(type_id):
        if method.name == name and len(parameters(method.signature)) == count:
            return method
    raise AdapterError(f"this JVM has no method `{name}`")
