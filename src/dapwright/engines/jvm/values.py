"""Values as a client sees them: a text, a type, and children to open."""

from msgspec import Struct

from dapwright.engines.jvm import codes
from dapwright.engines.jvm.connection import JdwpError
from dapwright.engines.jvm.contents import contents
from dapwright.engines.jvm.contents_languages import CALLED
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.mangling import CAPTURED
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.reading import Contents, Reading
from dapwright.engines.jvm.signatures import PRIMITIVES, is_internal, name_of, short
from dapwright.engines.jvm.text import PREVIEW, primitive, quote
from dapwright.engines.jvm.types import Field

BOXES = {
    f"java.lang.{name}" for name in ("Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double")
}
HOLDERS = {
    **CAPTURED,
    "clojure.lang.Atom": "state",
    "java.util.Optional": "value",
    "java.util.concurrent.atomic.AtomicInteger": "value",
    "java.util.concurrent.atomic.AtomicLong": "value",
    "java.util.concurrent.atomic.AtomicBoolean": "value",
    "java.util.concurrent.atomic.AtomicReference": "value",
}
SHOWN_FIELDS, SHOWN_ITEMS = 8, 10
LONGEST = 65_536
"""Characters of a string that is shown by itself."""


class Shown(Struct, frozen=True):
    """A value's text and type; `named` and `indexed` count its children, -1 is unknown."""

    text: str
    type: str
    opens: bool = False
    named: int = 0
    indexed: int = 0


class Child(Struct, frozen=True):
    """A part of an object: its name, its value, and how an expression reaches it from the parent."""

    name: str
    value: Value
    step: str = ""
    type: str = ""


class Values:
    """Shows the values of one JVM."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._reading = Reading(machine)

    async def show(self, value: Value, depth: int = 2, limit: int = LONGEST) -> Shown:
        """Describe a value; objects inside it are told `depth` levels deep."""
        if not value.is_object:
            return Shown(primitive(value), PRIMITIVES.get(value.tag, ""))
        if value.is_null:
            return Shown("null", "")
        try:
            if value.tag == "s":
                return Shown(quote(await self.machine.string(value.value), limit), "String")
            type_id = await self.machine.type_of(value.value)
            name = await self.machine.types.name(type_id)
            if value.tag == "[" or name.endswith("[]"):
                return await self._array(value.value, name, depth)
            return await self._object(value.value, type_id, name, depth)
        except JdwpError as refused:
            if refused.number == codes.INVALID_OBJECT:
                return Shown("<garbage collected>", "")
            raise

    async def _array(self, array: int, name: str, depth: int) -> Shown:
        size = await self.machine.array_length(array)
        kind = short(name.partition("[")[0]) + "[" + str(size) + "]" + name[name.index("]") + 1 :]
        if depth <= 0:
            return Shown(kind, short(name), size > 0, 0, size)
        items = await self.machine.array_items(array, 0, min(size, SHOWN_ITEMS))
        texts = [(await self.show(item, min(depth - 1, 1), PREVIEW)).text for item in items]
        more = [f"… {size - len(texts)} more"] if size > len(texts) else []
        return Shown(f"{kind} {{{', '.join(texts + more)}}}", short(name), size > 0, 0, size)

    async def _object(self, object_id: int, type_id: int, name: str, depth: int) -> Shown:
        plain = CALLED.get(name) or short(name)
        if name in BOXES:
            inner = await self._reading.one(object_id, "value")
            return Shown(primitive(inner) if inner else plain, plain)
        if name in HOLDERS:
            held = await self._reading.one(object_id, HOLDERS[name])
            text = (await self.show(held, 0, PREVIEW)).text if held else ""
            return Shown(f"{plain}[{text}]", plain, True, -1)
        if name == "clojure.lang.Keyword":
            symbol = (await self.machine.detail(object_id, "sym")).value
            word = await self.machine.detail(symbol, "name")
            return Shown(f":{await self.machine.string(word.value)}", plain, True, -1)
        if name == "java.lang.Class":
            return Shown(f"class {await self.reflected(object_id)}", "Class", True, -1)
        if await self.machine.types.is_a(type_id, "Ljava/lang/Enum;"):
            if plain.rpartition("$")[2].isdigit():  # a constant with a body of its own
                plain = short(await self.machine.types.name(await self.machine.types.superclass(type_id)))
            return await self._enum(object_id, type_id, plain)
        if await self.machine.types.is_a(type_id, "Ljava/lang/Throwable;"):
            return await self._throwable(object_id, plain)
        if name.startswith("java.lang.StringBu"):
            return Shown(await self._builder(object_id, plain), plain, True, -1)
        held_items = await contents(self._reading, object_id, SHOWN_ITEMS if depth > 0 else 0)
        if held_items is not None:
            return await self._collection(held_items, plain, depth)
        return await self._plain(object_id, type_id, name, depth)

    async def _enum(self, object_id: int, type_id: int, plain: str) -> Shown:
        constant = await self._reading.one(object_id, "name")
        text = await self.machine.string(constant.value) if constant and constant.value else "?"
        own = [f for f in await self.instance_fields(type_id) if f.name not in ("name", "ordinal", "hash")]
        return Shown(f"{plain}.{text}", plain, bool(own), len(own))

    async def _throwable(self, object_id: int, plain: str) -> Shown:
        message = await self._reading.one(object_id, "detailMessage")
        text = await self.machine.string(message.value) if message and message.value else ""
        return Shown(f"{plain}: {text}" if text else plain, plain, True, -1)

    async def _builder(self, object_id: int, plain: str) -> str:
        held, count, coder = await self._reading.fields(object_id, "value", "count", "coder")
        if held is None or count is None or not held.value:
            return plain
        length = await self.machine.array_length(held.value)
        wide = coder is not None and bool(coder.value)
        size = min(length, int(count.value) * (2 if wide else 1), PREVIEW * 2)
        items = await self.machine.array_items(held.value, 0, size)
        if items and items[0].tag == "C":
            return f"{plain} {quote(''.join(chr(item.value) for item in items))}"
        data = bytes(item.value & 0xFF for item in items)
        return f"{plain} {quote(data.decode('utf-16-le' if wide else 'latin-1', 'replace'))}"

    async def _collection(self, held: Contents, plain: str, depth: int) -> Shown:
        head = f"{plain} size={held.size}"
        if depth <= 0 or not held.size:
            return Shown(head, plain, held.size > 0, 0, held.size)
        texts = []
        for key, value in held.items[:SHOWN_ITEMS]:
            text = (await self.show(value, min(depth - 1, 1), PREVIEW)).text
            texts.append(f"{(await self.show(key, 0, PREVIEW)).text}={text}" if key is not None else text)
        more = [f"… {held.size - len(texts)} more"] if held.size > len(texts) else []
        left, right = "{}" if held.is_map else "[]"
        return Shown(f"{head} {left}{', '.join(texts + more)}{right}", plain, True, 0, held.size)

    async def _plain(self, object_id: int, type_id: int, name: str, depth: int) -> Shown:
        fields = await self.instance_fields(type_id)
        plain = short(name)
        if depth <= 0 or is_internal(name) or not fields:
            return Shown(f"{plain}@{object_id}", plain, bool(fields), len(fields))
        shown = [field for field in fields if not field.flags & codes.SYNTHETIC][:SHOWN_FIELDS]
        values = await self.machine.read_fields(object_id, shown)
        texts = [
            f"{field.name}={(await self.show(value, 0, PREVIEW)).text}"
            for field, value in zip(shown, values, strict=True)
        ]
        more = ["…"] if len(fields) > len(shown) else []
        return Shown(f"{plain} {{{', '.join(texts + more)}}}", plain, True, len(fields))

    async def reflected(self, class_object: int) -> str:
        """The name of the class that a `Class` object stands for."""
        reader = await self.machine.link.ask(codes.REFLECTED, self.machine.link.writer().object(class_object))
        reader.byte()
        return await self.machine.types.name(reader.type())

    async def instance_fields(self, type_id: int) -> list[Field]:
        """Instance fields, the class's own first, then those of its superclasses."""
        found = []
        for one in await self.machine.types.ancestry(type_id):
            found += [field for field in await self.machine.types.fields(one) if not field.is_static]
        return found

    async def children(self, value: Value, start: int = 0, count: int = 0) -> list[Child]:
        """Return the parts of an object: items of arrays, collections and maps, else fields; `count` 0 is all."""
        object_id = value.value
        type_id = await self.machine.type_of(object_id)
        name = await self.machine.types.name(type_id)
        if name.endswith("[]"):
            size = await self.machine.array_length(object_id)
            left = max(0, size - start)
            items = await self.machine.array_items(object_id, start, min(count or left, left)) if left else []
            return [Child(f"[{start + at}]", item, f"[{start + at}]") for at, item in enumerate(items)]
        held = await contents(self._reading, object_id, start + count if count else 100_000)
        if held is not None:
            return await self._items(held.items[start : start + count if count else None], start)
        fields = await self.instance_fields(type_id)
        fields = fields[start : start + count if count else None]
        values = await self.machine.read_fields(object_id, fields)
        return [
            Child(field.name, inner, f".{field.name}", name_of(field.signature))
            for field, inner in zip(fields, values, strict=True)
        ]

    async def _items(self, items: list[tuple[Value | None, Value]], start: int) -> list[Child]:
        found = []
        for at, (key, value) in enumerate(items):
            text = f"[{start + at}]" if key is None else (await self.show(key, 1, PREVIEW)).text
            found.append(Child(text, value))
        return found
