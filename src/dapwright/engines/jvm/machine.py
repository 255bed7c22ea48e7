"""A JVM: its threads, frames, objects and calls, over one connection."""

import asyncio
from collections.abc import Iterable, Sequence

from msgspec import Struct

from dapwright.core.errors import AdapterError, NotSupported, TimeLimit
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.codes import Kind
from dapwright.engines.jvm.connection import JdwpError
from dapwright.engines.jvm.events import Modifiers, request
from dapwright.engines.jvm.packets import NULL, Reader, Value
from dapwright.engines.jvm.threads import Threads
from dapwright.engines.jvm.types import Field, Method

CALL_SECONDS = 10.0


class LoadedType(Struct, frozen=True):
    """A class as a list of classes names it; `tag` 1 is a class, 2 an interface, 3 an array."""

    tag: int
    id: int
    signature: str


class Thrown(AdapterError):
    """Code that we called threw; `exception` is the object."""

    def __init__(self, words: str, exception: int) -> None:
        super().__init__(words)
        self.exception = exception


class Machine(Threads):
    """The commands of one JVM, typed."""

    # classes

    async def classes(self, signature: str) -> list[LoadedType]:
        """The loaded classes of a signature: one for each loader that has it."""
        reader = await self.link.ask(codes.CLASSES_BY_SIGNATURE, self.link.writer().text(signature))
        found = [(reader.byte(), reader.type(), reader.i32()) for _ in range(reader.i32())]
        for _, type_id, _ in found:
            self.types.learn(type_id, signature)
        return [LoadedType(tag, type_id, signature) for tag, type_id, _ in found]

    async def all_classes(self) -> list[LoadedType]:
        """Every loaded class that is prepared; arrays are left out."""
        reader = await self.link.ask(codes.ALL_CLASSES)
        found = []
        for _ in range(reader.i32()):
            tag, type_id, signature, status = reader.byte(), reader.type(), reader.text(), reader.i32()
            if tag != 3:
                self.types.learn(type_id, signature)
                if status & 2:
                    found.append(LoadedType(tag, type_id, signature))
        return found

    # requests for events

    async def set_request(self, kind: Kind, policy: int, modifiers: Modifiers | None = None) -> int:
        """Ask for events; returns the number of the request."""
        return (await self.link.ask(codes.SET_REQUEST, request(self.link.sizes, kind, policy, modifiers))).i32()

    async def clear_request(self, kind: Kind, number: int) -> None:
        """Want no more of a request's events; one that is gone already is no failure."""
        try:
            await self.link.ask(codes.CLEAR_REQUEST, self.link.writer().byte(kind).i32(number))
        except JdwpError:
            pass

    def modifiers(self) -> Modifiers:
        return Modifiers(self.link.sizes)

    # objects

    async def type_of(self, object_id: int) -> int:
        reader = await self.link.ask(codes.TYPE_OF, self.link.writer().object(object_id))
        reader.byte()
        return reader.type()

    async def string(self, object_id: int) -> str:
        return (await self.link.ask(codes.STRING, self.link.writer().object(object_id))).text()

    async def new_string(self, text: str) -> Value:
        return Value("s", (await self.link.ask(codes.CREATE_STRING, self.link.writer().text(text))).object())

    async def read_fields(self, object_id: int, fields: Sequence[Field]) -> list[Value]:
        if not fields:
            return []
        writer = self.link.writer().object(object_id).i32(len(fields))
        for field in fields:
            writer.field(field.id)
        return _tagged(await self.link.ask(codes.GET_FIELDS, writer))

    async def read_statics(self, type_id: int, fields: Sequence[Field]) -> list[Value]:
        if not fields:
            return []
        writer = self.link.writer().type(type_id).i32(len(fields))
        for field in fields:
            writer.field(field.id)
        return _tagged(await self.link.ask(codes.STATIC_VALUES, writer))

    async def write_field(self, object_id: int, field: Field, value: Value) -> None:
        """Write an instance field, or a static one of `field.type` (whatever `object_id` is then)."""
        if field.is_static:
            writer = self.link.writer().type(field.type).i32(1).field(field.id).value(value)
            await self.link.ask(codes.SET_STATIC, writer)
            return
        writer = self.link.writer().object(object_id).i32(1).field(field.id).value(value)
        await self.link.ask(codes.SET_FIELDS, writer)

    async def array_length(self, array: int) -> int:
        return (await self.link.ask(codes.ARRAY_LENGTH, self.link.writer().object(array))).i32()

    async def array_items(self, array: int, start: int, count: int) -> list[Value]:
        if count <= 0:
            return []
        reader = await self.link.ask(codes.ARRAY_GET, self.link.writer().object(array).i32(start).i32(count))
        tag, size = chr(reader.byte()), reader.i32()
        primitive = tag in "BCSIJFDZ"
        return [reader.value(tag) if primitive else reader.tagged() for _ in range(size)]

    async def set_array_item(self, array: int, index: int, value: Value) -> None:
        writer = self.link.writer().object(array).i32(index).i32(1).value(value)
        await self.link.ask(codes.ARRAY_SET, writer)

    async def new_array(self, type_id: int, size: int) -> Value:
        return (await self.link.ask(codes.NEW_ARRAY, self.link.writer().type(type_id).i32(size))).tagged()

    async def keep(self, object_id: int) -> None:
        """Hold an object that nothing in the program may hold any more."""
        await self.link.ask(codes.KEEP, self.link.writer().object(object_id))

    def release(self, objects: Iterable[int]) -> None:
        """Let go of kept objects; nobody waits for it."""
        for object_id in objects:
            if self.link.ended is None:
                self.link.send(codes.RELEASE, self.link.writer().object(object_id))

    # calls

    async def call(
        self, thread: int, method: Method, args: Sequence[Value], *, on: int = 0, seconds: float = CALL_SECONDS
    ) -> Value:
        """Call a method on a thread that an event suspended, with no other thread running.

        `on` is the receiver, 0 for a static method; a constructor gives the new object.
        Breakpoints met on the way are passed over, and counted in `passed`.

        Raises:
            Thrown: the method threw.
            TimeLimit: it is still running after `seconds`; the thread stays in it.
            JdwpError: the thread is not where a call is possible.
        """
        constructs = method.name == "<init>"
        writer = self.link.writer()
        if method.is_static or constructs:
            writer.type(method.type).object(thread).method(method.id)
        else:
            writer.object(on).object(thread).type(method.type).method(method.id)
        writer.i32(len(args))
        for arg in args:
            writer.tagged(arg)
        writer.i32(1)
        what = codes.NEW_INSTANCE if constructs else codes.INVOKE
        if method.is_static:
            of_interface = (await self.types.superclass(method.type)) == 0
            what = codes.INVOKE_INTERFACE if of_interface else codes.INVOKE_STATIC
        reader = await self._invoke(thread, what, writer.done(), method, seconds)
        value, exception = reader.tagged(), reader.tagged()
        if exception.value:
            raise Thrown(await self._words_of(exception.value), exception.value)
        return value

    async def _invoke(self, thread: int, what: codes.Command, data: bytes, method: Method, seconds: float) -> Reader:
        if thread in self.calling:
            raise NotSupported(
                "that thread is still in a call that ran out of time", "let the program run on, or end it"
            )
        await self.free(thread)
        self.calling.add(thread)
        future = self.link.send(what, data)
        done, _ = await asyncio.wait([future], timeout=seconds)
        self.forget_frames()
        if not done:
            future.add_done_callback(lambda _: self._late(thread))
            raise TimeLimit(
                f"`{method.name}` is still running after {seconds:g} s",
                "the thread stays in the call: continue to let it run, or pause elsewhere",
            )
        self._returned(thread)
        await self.give_back(thread)
        try:
            return await self.link.result(future)
        except JdwpError as refused:
            if refused.number not in (codes.INVALID_THREAD, codes.NOT_SUSPENDED):
                raise
            raise NotSupported(
                "the JVM calls nothing on a thread that was paused at will",
                "stop it at a breakpoint or step once; variables and arithmetic work here",
            ) from None

    def _late(self, thread: int) -> None:
        self._returned(thread)
        self.owed.pop(thread, None)
        self.on_late(thread)

    def _returned(self, thread: int) -> None:
        self.calling.discard(thread)
        self.forget_frames()

    async def _words_of(self, exception: int) -> str:
        """Name an exception and its message without calling anything."""
        type_id = await self.type_of(exception)
        name = await self.types.name(type_id)
        message = await self.detail(exception, "detailMessage")
        text = await self.string(message.value) if message.value else ""
        return f"{name}: {text}" if text else name

    async def detail(self, object_id: int, name: str) -> Value:
        """The first field called `name` from the object's class upwards; null where there is none."""
        for type_id in await self.types.ancestry(await self.type_of(object_id)):
            for field in await self.types.fields(type_id):
                if field.name == name and not field.is_static:
                    return (await self.read_fields(object_id, [field]))[0]
        return NULL


def _tagged(reader: Reader) -> list[Value]:
    return [reader.tagged() for _ in range(reader.i32())]
