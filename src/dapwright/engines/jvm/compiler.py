"""Full Java in a frame: a snippet becomes a class, defined in the program and called.

Two ways in. A *hidden class that is a nest mate* of the frame's class (JDK 15 and later) may
use its private members. JDKs before 25 cannot run lambdas in one (they name the class, and a
hidden class has no name), so there snippets with lambdas or classes of their own are defined by
the program's class loader instead, with the private fields that they read handed in as parameters.
"""

import itertools
import os
import re

from msgspec import Struct

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.classpaths import OpenCopies, module_entries
from dapwright.engines.jvm.codes import VERSION, VM_CLASS_PATHS
from dapwright.engines.jvm.compileserver import CompileServer
from dapwright.engines.jvm.expressions_calls import Operand
from dapwright.engines.jvm.expressions_places import Place
from dapwright.engines.jvm.expressions_run import Run
from dapwright.engines.jvm.injecting import define_hidden, define_plain
from dapwright.engines.jvm.machine import Thrown
from dapwright.engines.jvm.packets import NULL, VOID, Value
from dapwright.engines.jvm.signatures import package_of
from dapwright.engines.jvm.snippets import source, statements
from dapwright.engines.jvm.surroundings import Snippet, surround
from dapwright.engines.jvm.types import Method

LAMBDAS_IN_HIDDEN = 25
"""The first release whose hidden classes are trusted with lambdas here (25 was tried; 17 and 21 fail)."""


class Target(Struct, frozen=True):
    """What must be known of a JVM to compile for it."""

    release: int
    entries: tuple[str, ...]


class Compiler:
    """Runs snippets of Java in frames."""

    def __init__(self, java: str = "") -> None:
        self.server = CompileServer(java)
        self.copies = OpenCopies()
        self._numbers = itertools.count(1)
        self._made: dict[tuple[object, ...], tuple[Method, bool]] = {}
        self._targets: dict[int, Target] = {}

    async def run(self, run: Run, expression: str) -> Operand:
        """The value of a snippet: expressions, statements, lambdas, `new` with a body.

        Raises:
            UsageError: it does not compile, in javac's words.
            Thrown: it threw.
        """
        target = await self._target(run)
        special = re.search(r"->|::|\bclass\b|\)\s*\{", expression) is not None
        hidden = target.release >= (LAMBDAS_IN_HIDDEN if special else 15)
        place = (await run.scope.frame()).location
        path = self.copies.path(target.entries, (await run.machine.types.name(place.type)).partition("$")[0])
        snippet = await surround(run, expression, private=hidden, known=self.copies.names)
        key = (id(run.machine), place.type, snippet.text, hidden, *snippet.parameters)
        if key not in self._made:
            self._made[key] = await self._make(run, snippet, target, path, hidden)
        method, value = self._made[key]
        try:
            found = await self._call(run, snippet, method)
        except Thrown as thrown:
            if "IllegalAccessError" not in str(thrown):
                raise
            hint = "on this JVM a lambda cannot reach private methods: call them outside of it"
            raise UsageError(str(thrown), hint) from None
        return found if value else VOID

    async def _target(self, run: Run) -> Target:
        machine = run.machine
        if id(machine) not in self._targets:
            reader = await machine.link.ask(VERSION)
            reader.text(), reader.i32(), reader.i32()
            number = re.match(r"(?:1\.)?(\d+)", reader.text())
            paths = await machine.link.ask(VM_CLASS_PATHS)
            base = paths.text()
            entries = [_absolute(base, paths.text()) for _ in range(paths.i32())]
            modules = (await _property(run, "jdk.module.path")).split(os.pathsep)
            entries += module_entries([_absolute(base, one) for one in modules if one])
            self._targets[id(machine)] = Target(int(number[1]) if number else 8, tuple(e for e in entries if e))
        return self._targets[id(machine)]

    async def _make(self, run: Run, snippet: Snippet, target: Target, path: str, hidden: bool) -> tuple[Method, bool]:
        place = (await run.scope.frame()).location
        frame_class = await run.machine.types.name(place.type)
        package = package_of(frame_class)
        name = f"DapwrightSnippet{next(self._numbers)}"
        full = f"{package}.{name}" if package else name
        classes, value = await self._compile(full, path, target, snippet)
        if hidden and len(classes) == 1:
            type_id = await define_hidden(run.calls, place.type, classes[full])
        else:
            type_id = await define_plain(run.calls, place.type, classes, full)
        methods = await run.machine.types.methods(type_id)
        return next(method for method in methods if method.name == "__e"), value

    async def _compile(self, full: str, path: str, target: Target, snippet: Snippet) -> tuple[dict[str, bytes], bool]:
        """Compile as an expression, then as statements; returns the classes, and whether there is a value."""
        before, last = statements(snippet.text)
        tries = [((before, last), bool(last)), ((before, last), False)]
        if not last and not snippet.text.rstrip().endswith(";"):
            tries.insert(0, (("", snippet.text), True))  # a switch, a block: it may have a value
        failure = ""
        for body, value in tries:
            text = source(full.rpartition(".")[2], package_of(full), body, snippet.parameters, value=value)
            try:
                return await self.server.compile(full, path, target.release, text), value
            except UsageError as wrong:
                failure = str(wrong)
                if body[1] == last and not re.search(r"\bvoid\b|not a statement", str(wrong)):
                    break
        raise UsageError(f"`{snippet.written}` does not compile: {failure}")

    async def _call(self, run: Run, snippet: Snippet, method: Method) -> Operand:
        changing = [(p, place) for p, place in zip(snippet.parameters, snippet.places, strict=True) if p.assigned]
        out = await run.calls.array("[Ljava/lang/Object;", [NULL] * max(1, len(changing)))
        values = [await run.read(place) if place else await run.scope.this() for place in snippet.places]
        try:
            found = await run.machine.call(run.scope.thread, method, [out, *values], seconds=run.calls.seconds)
        finally:
            await self._hand_back(run, out, [place for _, place in changing])
        await run.calls.hold(found)
        return await run.calls.unbox(found)

    async def _hand_back(self, run: Run, out: Value, places: "list[Place | None]") -> None:
        if not places:
            return
        items = await run.machine.array_items(out.value, 0, len(places))
        for item, place in zip(items, places, strict=True):
            if place is not None:
                await run.write(place, await run.calls.unbox(item))

    def forget(self) -> None:
        """Classes were redefined: what was compiled against them may not fit any more."""
        self._made.clear()
        self.copies.forget()

    async def close(self) -> None:
        """End the compile server."""
        self.server.close()
        self.copies.close()
        await self.server.gone()


async def _property(run: Run, name: str) -> str:
    """A system property of the program; "" where it has none."""
    machine = run.machine
    wanted = ("getProperty", "(Ljava/lang/String;)Ljava/lang/String;")
    for system in await machine.classes("Ljava/lang/System;"):
        for method in await machine.types.methods(system.id):
            if (method.name, method.signature) == wanted:
                value = await run.calls.call(method, [name])
                return await machine.string(value.value) if value.value else ""
    return ""


def _absolute(base: str, entry: str) -> str:
    if not entry:
        return ""
    return entry if entry.startswith("/") or entry[1:2] == ":" else f"{base}/{entry}"
