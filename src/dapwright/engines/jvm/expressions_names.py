"""What a name means in a frame: a local, a field of `this` or of what encloses it, a class."""

from msgspec import Struct

from dapwright.core.errors import UsageError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.connection import JdwpError
from dapwright.engines.jvm.handles import FrameHandle
from dapwright.engines.jvm.machine import Machine, Thrown
from dapwright.engines.jvm.mangling import CAPTURED, plain_variable
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.signatures import name_of, package_of, short, signature_of
from dapwright.engines.jvm.threads import JavaFrame
from dapwright.engines.jvm.types import Field, Method, Slot

PACKAGES = ("java.lang", "java.util", "java.util.stream", "java.util.function", "java.io", "java.math", "java.time")
"""Where a simple class name is looked for, after the frame's own package."""


class UnknownName(UsageError):
    """Nothing of that name is here."""


class TypeRef(Struct, frozen=True):
    """A class, as the left side of a dot."""

    type: int


class Local(Struct, frozen=True):
    slot: Slot


class FieldOf(Struct, frozen=True):
    """A field; `object` 0 for a static one."""

    object: int
    field: Field


class Scope:
    """The names of one frame; the frame's own ids are fetched again after every call."""

    def __init__(self, machine: Machine, frame: FrameHandle) -> None:
        self.machine = machine
        self.handle = frame

    @property
    def thread(self) -> int:
        return self.handle.thread

    async def frame(self) -> JavaFrame:
        frames = await self.machine.frames(self.handle.thread)
        if self.handle.depth >= len(frames):
            raise UsageError("that frame is gone", "ask for the stack trace again")
        return frames[self.handle.depth]

    async def method(self) -> Method | None:
        place = (await self.frame()).location
        return await self.machine.types.method(place.type, place.method)

    async def nameless(self) -> str:
        """Why no local has a name here; "" where they have."""
        if await self.method() is None:
            return "the frame runs the code from before the reload, which has no names: leave it, or restart it"
        without = await self.slots() is None
        return "the class was compiled without -g: its locals have no names" if without else ""

    async def slots(self) -> list[Slot] | None:
        """The locals alive here; None where the class was compiled without them."""
        method = await self.method()
        slots = await self.machine.types.slots(method) if method else None
        if slots is None:
            return None
        index = (await self.frame()).location.index
        alive = {slot.name: slot for slot in slots if slot.alive(index)}
        return list(alive.values())

    async def this(self) -> Value:
        return await self.machine.this(self.handle.thread, await self.frame())

    async def local(self, name: str) -> Slot | None:
        slots = [] if name == "this" else await self.slots() or []
        return next((slot for slot in slots if slot.name == name), None) or next(
            (one for one in slots if name_of(one.signature) in CAPTURED and plain_variable(one.name) == name), None
        )

    async def read_local(self, slot: Slot) -> Value:
        return (await self.machine.frame_values(self.handle.thread, await self.frame(), [slot]))[0]

    async def find(self, name: str) -> Local | FieldOf | None:
        """A variable by its name: local, then field, then captured, then of the classes around."""
        slot = await self.local(name)
        if slot:
            held = CAPTURED.get(name_of(slot.signature))
            return (held and await self._inside((await self.read_local(slot)).value, held)) or Local(slot)
        this = await self.this()
        at = this.value
        for _ in range(8):
            if not at:
                break
            found, outer = await self._in_object(at, name)
            if found:
                return await self._opened(found)
            at = outer
        return await self._static(name)

    async def _in_object(self, object_id: int, name: str) -> tuple[FieldOf | None, int]:
        """The field (plain or captured) of an object, and the object that encloses it."""
        outer = 0
        for type_id in await self.machine.types.ancestry(await self.machine.type_of(object_id)):
            for field in await self.machine.types.fields(type_id):
                if field.name in (name, f"val${name}", f"${name}"):
                    return FieldOf(0 if field.is_static else object_id, field), 0
                if field.name.startswith("this$") and not outer:
                    outer = (await self.machine.read_fields(object_id, [field]))[0].value
        return None, outer

    async def _opened(self, found: FieldOf) -> FieldOf:
        """A captured variable's value, where a field holds it in a box of its own."""
        held = CAPTURED.get(name_of(found.field.signature))
        if not held or found.field.is_static:
            return found
        box = (await self.machine.read_fields(found.object, [found.field]))[0]
        return await self._inside(box.value, held) or found

    async def _inside(self, box: int, held: str) -> FieldOf | None:
        for type_id in await self.machine.types.ancestry(await self.machine.type_of(box)) if box else []:
            for field in await self.machine.types.fields(type_id):
                if field.name == held and not field.is_static:
                    return FieldOf(box, field)
        return None

    async def _static(self, name: str) -> FieldOf | None:
        for type_id in await self.enclosing():
            found = await self.static_field(type_id, name)
            if found:
                return found
        return None

    async def enclosing(self) -> list[int]:
        """The frame's class and the classes around it, as far as they are loaded."""
        place = (await self.frame()).location
        found = [place.type]
        name = await self.machine.types.name(place.type)
        while "$" in name:
            name = name.rpartition("$")[0]
            found += [loaded.id for loaded in await self.machine.classes(signature_of(name))]
        return found

    async def static_field(self, type_id: int, name: str) -> FieldOf | None:
        for one in await self.machine.types.ancestry(type_id):
            for field in await self.machine.types.fields(one):
                if field.name == name and field.is_static:
                    return FieldOf(0, field)
        return None

    async def type(self, name: str) -> int | None:
        """A class by its simple, nested or full name; loaded first, where it is not yet."""
        if name.endswith("[]"):
            return next((one.id for one in await self.machine.classes(signature_of(name))), None)
        own = await self.machine.types.name((await self.frame()).location.type)
        candidates = [*_spellings(own, name)]
        for candidate in candidates:
            for loaded in await self.machine.classes(signature_of(candidate)):
                return loaded.id
        same = [one for one in await self.machine.all_classes() if _is_called(one.signature, name)]
        if len(same) == 1:
            return same[0].id
        for candidate in candidates:
            type_id = await self._load(candidate)
            if type_id:
                return type_id
        return None

    async def _load(self, name: str) -> int | None:
        """Have the frame's class loader load a class that nobody used yet."""
        place = (await self.frame()).location
        writer = self.machine.link.writer().type(place.type)
        loader = (await self.machine.link.ask(codes.CLASS_LOADER, writer)).object()
        return await load_class(self.machine, self.thread, name, loader)


async def load_class(machine: Machine, thread: int, name: str, loader: int) -> int | None:
    """The class of a full name, by a loader (0: the platform's), initialised; None where it has none."""
    root = (await machine.classes("Ljava/lang/Class;"))[0].id
    wanted = ("forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;")
    for_name = next(m for m in await machine.types.methods(root) if (m.name, m.signature) == wanted)
    text = await machine.new_string(name)
    try:
        found = await machine.call(thread, for_name, [text, Value("Z", True), Value("L", loader)])
    except (Thrown, JdwpError):
        return None
    reader = await machine.link.ask(codes.REFLECTED, machine.link.writer().object(found.value))
    reader.byte()
    return reader.type()


def _spellings(own: str, name: str) -> list[str]:
    """Full binary names that `name` may mean in class `own`, nearest first."""
    nested = name.replace(".", "$")
    found = []
    around = own
    while True:
        found.append(f"{around}${nested}")
        if "$" not in around:
            break
        around = around.rpartition("$")[0]
    package = package_of(own)
    found.append(f"{package}.{nested}" if package else nested)
    if "." in name:
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            found.append(".".join(parts[:cut]) + "." + "$".join(parts[cut:]))
    found += [f"{package}.{nested}" for package in PACKAGES]
    return [name, *found] if "." in name or "$" in name else found


def _is_called(signature: str, name: str) -> bool:
    binary = signature[1:-1].replace("/", ".")
    return short(binary) == name or binary.rpartition(".")[2] == name
