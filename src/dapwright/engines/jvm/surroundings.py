"""What a snippet takes from the frame around it, and the snippet rewritten for its own class."""

from collections.abc import Collection

from msgspec import Struct

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.classfile import PRIVATE
from dapwright.engines.jvm.codes import STATIC
from dapwright.engines.jvm.expressions_names import FieldOf, Local
from dapwright.engines.jvm.expressions_places import Place
from dapwright.engines.jvm.expressions_run import Run
from dapwright.engines.jvm.expressions_tokens import tokens
from dapwright.engines.jvm.generics import java_type
from dapwright.engines.jvm.signatures import dotted, signature_of
from dapwright.engines.jvm.snippets import Parameter, Use, assigned, rewrite, uses

SELF = "__self"


class Snippet(Struct, frozen=True):
    """A snippet ready to be compiled; a parameter without a place is `this`."""

    written: str
    text: str
    parameters: tuple[Parameter, ...]
    places: tuple[Place | None, ...]


class _Surroundings:
    def __init__(self, run: Run, text: str, private: bool, known: Collection[str]) -> None:
        self.run = run
        self.known = known
        self.text = text
        self.private = private
        self.parameters: dict[str, tuple[Parameter, Place | None]] = {}
        self.changes: dict[int, tuple[str, str]] = {}

    async def find(self) -> Snippet:
        for token in tokens(self.text):
            if token.kind == "word" and token.text == "this":
                await self._self()
                self.changes[token.at] = ("this", SELF)
        for use in uses(self.text):
            await (self._method(use) if use.called else self._variable(use))
        found = list(self.parameters.values())
        text = rewrite(self.text, self.changes)
        return Snippet(self.text, text, tuple(p for p, _ in found), tuple(place for _, place in found))

    async def _self(self) -> int:
        """Hand `this` in; returns its class."""
        this = await self.run.scope.this()
        if not this.value:
            raise UsageError("there is no `this` in a static method")
        place = (await self.run.scope.frame()).location
        signature = await self.run.machine.types.signature(place.type)
        self.parameters.setdefault(SELF, (Parameter(SELF, await self._named(signature)), None))
        return place.type

    async def _named(self, signature: str) -> str:
        """The type as source writes it; an anonymous class is what it extends or implements."""
        name = java_type(signature)
        for loaded in await self.run.machine.classes(signature) if name == "Object" else []:
            faces = await self.run.machine.types.interfaces(loaded.id)
            above = faces[0] if faces else await self.run.machine.types.superclass(loaded.id)
            return java_type(await self.run.machine.types.signature(above)) if above else "Object"
        return name

    async def _method(self, use: Use) -> None:
        types = self.run.machine.types
        this = await self.run.scope.this()
        for at, type_id in enumerate(await self.run.scope.enclosing()):
            for one in await types.ancestry(type_id):
                found = [method for method in await types.methods(one) if method.name == use.name]
                if not found:
                    continue
                if all(method.is_static for method in found):
                    self.changes[use.at] = (use.name, f"{dotted(await types.name(one))}.{use.name}")
                elif this.value and at == 0:
                    await self._self()
                    self.changes[use.at] = (use.name, f"{SELF}.{use.name}")
                return

    async def _variable(self, use: Use) -> None:
        found = await self.run.scope.find(use.name)
        if isinstance(found, Local):
            kind = java_type(found.slot.signature, found.slot.generic)
            self.parameters[use.name] = (Parameter(use.name, kind, assigned(self.text, use.name)), found)
        elif isinstance(found, FieldOf):
            await self._field(use, found)
        else:
            await self._nested(use)

    async def _field(self, use: Use, found: FieldOf) -> None:
        open_field = self.private or not found.field.flags & PRIVATE
        this = await self.run.scope.this()
        if found.field.flags & STATIC and open_field:
            owner = dotted(await self.run.machine.types.name(found.field.type))
            self.changes[use.at] = (use.name, f"{owner}.{use.name}")
        elif open_field and found.object == this.value and found.field.name == use.name:
            await self._self()
            self.changes[use.at] = (use.name, f"{SELF}.{use.name}")
        else:
            kind = java_type(found.field.signature, found.field.generic)
            self.parameters[use.name] = (Parameter(use.name, kind, assigned(self.text, use.name)), found)

    async def _nested(self, use: Use) -> None:
        """A class nested in the frame's is known there by its simple name."""
        machine = self.run.machine
        for type_id in await self.run.scope.enclosing():
            name = f"{await machine.types.name(type_id)}${use.name}"
            if name in self.known or await machine.classes(signature_of(name)):
                self.changes[use.at] = (use.name, dotted(name))
                return


async def surround(run: Run, text: str, *, private: bool, known: Collection[str] = ()) -> Snippet:
    """Find what `text` uses of the frame; `private` tells whether it may touch private members itself.

    `known` are names of classes that may not be loaded yet.
    """
    return await _Surroundings(run, text, private, known).find()
