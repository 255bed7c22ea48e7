"""What the JVM says of its classes: asked once, kept until a class is redefined or its JVM ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from msgspec import Struct

from dapwright.engines.jvm import codes
from dapwright.engines.jvm.connection import Connection, JdwpError
from dapwright.engines.jvm.packets import Location, Reader
from dapwright.engines.jvm.signatures import name_of
from dapwright.engines.jvm.smap import SourceMap, read_map

T = TypeVar("T")


class Method(Struct, frozen=True):
    """A method of class `type`; `signature` is erased, as the JVM has it."""

    type: int
    id: int
    name: str
    signature: str
    flags: int

    @property
    def is_static(self) -> bool:
        return bool(self.flags & codes.STATIC)


class Field(Struct, frozen=True):
    """A field declared by class `type`."""

    type: int
    id: int
    name: str
    signature: str
    flags: int
    generic: str = ""

    @property
    def is_static(self) -> bool:
        return bool(self.flags & codes.STATIC)


class Lines(Struct, frozen=True):
    """A method's line table: (code index, line) by code index, and where the code ends."""

    entries: tuple[tuple[int, int], ...]
    start: int
    end: int

    def line(self, index: int) -> int:
        """The line of a code index; 0 where the method has none."""
        best = 0
        for start, line in self.entries:
            if start > index:
                break
            best = line
        return best


class Slot(Struct, frozen=True):
    """A local variable: where it lives, and between which code indices."""

    name: str
    signature: str
    generic: str
    number: int
    start: int
    length: int

    def alive(self, index: int) -> bool:
        return self.start <= index < self.start + self.length


class Types:
    """The classes of one JVM, by their ids."""

    def __init__(self, link: Connection) -> None:
        self._link = link
        self._kept: dict[tuple[str, int, int], Any] = {}

    def forget(self, *types: int) -> None:
        """Drop what is known of redefined classes; of all, if none is named."""
        self._kept = {key: value for key, value in self._kept.items() if types and key[1] not in types}

    async def _once(self, what: str, type_id: int, ask: Callable[[], Awaitable[T]], method: int = 0) -> T:
        key = (what, type_id, method)
        if key not in self._kept:
            self._kept[key] = await ask()
        value: T = self._kept[key]
        return value

    async def _ask(self, what: codes.Command, type_id: int) -> Reader:
        return await self._link.ask(what, self._link.writer().type(type_id))

    async def _text(self, what: codes.Command, type_id: int) -> str:
        try:
            return (await self._ask(what, type_id)).text()
        except JdwpError as refused:
            if refused.number in (codes.ABSENT_INFORMATION, 99):
                return ""
            raise

    async def signature(self, type_id: int) -> str:
        return await self._once("signature", type_id, lambda: self._text(codes.SIGNATURE, type_id))

    async def name(self, type_id: int) -> str:
        """The binary name, `com.x.Outer$Inner`; arrays as `int[]`."""
        return name_of(await self.signature(type_id))

    def learn(self, type_id: int, signature: str) -> None:
        """Keep a signature that came with an event or a list."""
        self._kept[("signature", type_id, 0)] = signature

    async def source_file(self, type_id: int) -> str:
        """The bare file name in the class; "" where it was compiled without."""
        return await self._once("file", type_id, lambda: self._text(codes.SOURCE_FILE, type_id))

    async def source_map(self, type_id: int) -> SourceMap:
        async def ask() -> SourceMap:
            return read_map(await self._text(codes.SOURCE_MAP, type_id))

        return await self._once("map", type_id, ask)

    async def superclass(self, type_id: int) -> int:
        """0 above Object, and for interfaces, arrays of which the JVM says Object."""

        async def ask() -> int:
            try:
                return (await self._ask(codes.SUPERCLASS, type_id)).type()
            except JdwpError:
                return 0

        return await self._once("super", type_id, ask)

    async def interfaces(self, type_id: int) -> list[int]:
        async def ask() -> list[int]:
            try:
                reader = await self._ask(codes.INTERFACES, type_id)
            except JdwpError:
                return []
            return [reader.type() for _ in range(reader.i32())]

        return await self._once("interfaces", type_id, ask)

    async def methods(self, type_id: int) -> list[Method]:
        async def ask() -> list[Method]:
            reader = await self._ask(codes.METHODS, type_id)
            return [_method(type_id, reader) for _ in range(reader.i32())]

        return await self._once("methods", type_id, ask)

    async def fields(self, type_id: int) -> list[Field]:
        """Fields declared by the class itself."""

        async def ask() -> list[Field]:
            reader = await self._ask(codes.FIELDS, type_id)
            return [_field(type_id, reader) for _ in range(reader.i32())]

        return await self._once("fields", type_id, ask)

    async def method(self, type_id: int, method_id: int) -> Method | None:
        """The method of an id; None for one that a redefinition made obsolete."""
        return next((m for m in await self.methods(type_id) if m.id == method_id), None)

    async def lines(self, method: Method) -> Lines:
        async def ask() -> Lines:
            writer = self._link.writer().type(method.type).method(method.id)
            try:
                reader = await self._link.ask(codes.LINE_TABLE, writer)
            except JdwpError:
                return Lines((), 0, -1)
            start, end = reader.i64(), reader.i64()
            return Lines(tuple(sorted((reader.i64(), reader.i32()) for _ in range(reader.i32()))), start, end)

        return await self._once("lines", method.type, ask, method.id)

    async def all_lines(self, type_id: int) -> list[tuple[Method, Lines]]:
        """Every method with its lines; the questions go out together."""
        methods = [m for m in await self.methods(type_id) if not m.flags & (codes.NATIVE | codes.ABSTRACT)]
        tables = await asyncio.gather(*(self.lines(method) for method in methods))
        return list(zip(methods, tables, strict=True))

    async def code(self, method: Method) -> bytes:
        """The method's bytecode; empty where the JVM does not tell."""

        async def ask() -> bytes:
            try:
                reader = await self._link.ask(codes.BYTECODES, self._link.writer().type(method.type).method(method.id))
            except JdwpError:
                return b""
            return reader.piece(reader.i32())

        return await self._once("code", method.type, ask, method.id)

    async def slots(self, method: Method) -> list[Slot] | None:
        """Local variables, parameters first; None where the class was compiled without them."""

        async def ask() -> list[Slot] | None:
            writer = self._link.writer().type(method.type).method(method.id)
            try:
                reader = await self._link.ask(codes.VARIABLE_TABLE, writer)
            except JdwpError as refused:
                if refused.number in (codes.ABSENT_INFORMATION, codes.NATIVE_METHOD):
                    return None
                raise
            reader.i32()
            return [_slot(reader) for _ in range(reader.i32())]

        return await self._once("slots", method.type, ask, method.id)

    async def line_of(self, place: Location) -> int:
        """The line of a location as the class numbers it; 0 where unknown."""
        method = await self.method(place.type, place.method)
        return (await self.lines(method)).line(place.index) if method else 0

    async def ancestry(self, type_id: int) -> list[int]:
        """The class, its superclasses, then all their interfaces."""

        async def ask() -> list[int]:
            chain = []
            at = type_id
            while at:
                chain.append(at)
                at = await self.superclass(at)
            for one in chain:
                for face in await self.interfaces(one):
                    if face not in chain:
                        chain.append(face)  # the loop reaches their parents too
            return chain

        return await self._once("ancestry", type_id, ask)

    async def is_a(self, type_id: int, signature: str) -> bool:
        """Tell whether the class is, extends or implements the one of `signature`."""
        names = await asyncio.gather(*(self.signature(one) for one in await self.ancestry(type_id)))
        return signature in names


def _method(type_id: int, reader: Reader) -> Method:
    number, name, signature, _ = reader.method(), reader.text(), reader.text(), reader.text()
    return Method(type_id, number, name, signature, reader.i32())


def _field(type_id: int, reader: Reader) -> Field:
    number, name, signature, generic = reader.field(), reader.text(), reader.text(), reader.text()
    return Field(type_id, number, name, signature, reader.i32(), generic)


def _slot(reader: Reader) -> Slot:
    start, name, signature, generic = reader.i64(), reader.text(), reader.text(), reader.text()
    length, number = reader.i32(), reader.i32()
    return Slot(name, signature, generic, number, start, length)
