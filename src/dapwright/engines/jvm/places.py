"""Where a breakpoint goes: the classes that an address means, and the code that a line or a name means in one."""

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from dapwright.core.errors import UsageError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.bytecode import copies
from dapwright.engines.jvm.packets import Location
from dapwright.engines.jvm.signatures import is_internal, package_of, short
from dapwright.engines.jvm.smap import SourceMap
from dapwright.engines.jvm.sourcefile import SourceFile, read_source, read_text
from dapwright.engines.jvm.types import Lines, Method, Types

if TYPE_CHECKING:
    from dapwright.core.source import Structure

SOURCES = (".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".cljc")
MAX_SOURCE = 8 * 1024 * 1024


class Spot(Struct, frozen=True):
    """Code that a breakpoint stops at, and its line."""

    location: Location
    line: int
    exact: bool


class Address(Struct, frozen=True):
    """A file or a class, as `source.path` named it."""

    path: str
    class_name: str = ""
    file: str = ""
    source: SourceFile | None = None

    @property
    def patterns(self) -> list[str]:
        """Classes to wait for; `*` is all but the platform's."""
        if self.class_name:
            return [self.class_name, self.class_name + "$*"]
        known = self.source.patterns() if self.source else []
        return known if known and self.source and not self.source.inlines else ["*"]

    def patterns_for(self, line: int) -> list[str]:
        """Classes that may hold a line: Java's anonymous and local classes are numbered, its lambdas are methods."""
        owner = self.owner(line)
        if not owner or not self.file.endswith(".java"):
            return self.patterns
        return [owner, *(f"{owner}${digit}*" for digit in range(1, 10))]

    def excludes(self, name: str, line: int) -> bool:
        """Tell whether a class surely has no code of a line: the source says that it belongs to another."""
        if self.source is None or self.source.inlines:
            return False
        return name in self.source.names and name != self.source.owner(line)

    def owner(self, line: int) -> str:
        return self.source.owner(line) if self.source else ""


def read_address(path: str) -> Address:
    """Read what `path` names: a source file (its text is looked at, if it is here), or a class."""
    file = re.split(r"[/\\]", path)[-1]
    if file == path and not path.endswith(SOURCES):
        return Address(path, class_name=path.removesuffix(".class"))
    source = None
    try:
        if file.endswith((".java", ".kt")) and os.path.getsize(path) <= MAX_SOURCE:
            source = read_source(read_text(path), file)
    except OSError:
        pass
    return Address(path, file=file, source=source)


def matches(pattern: str, name: str) -> bool:
    """Tell whether a class pattern of the protocol (one `*` at an end) holds `name`; `*` leaves the platform out."""
    if pattern == "*":
        return not is_internal(name)
    if pattern.startswith("*"):
        return name.endswith(pattern[1:])
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


async def means(address: Address, types: Types, type_id: int) -> bool:
    """Tell whether a loaded class comes from the address."""
    name = await types.name(type_id)
    if address.class_name:
        return any(matches(pattern, name) for pattern in address.patterns)
    if address.file not in await _files(types, type_id):
        return False
    if address.source is not None:
        return address.source.package == package_of(name) or bool((await types.source_map(type_id)).files)
    folder = re.split(r"[/\\]", address.path)[:-1]
    parts = package_of(name).split(".") if package_of(name) else []
    return not parts or not folder or folder[-len(parts) :] == parts or address.file.endswith((".kt", ".scala", ".kts"))


async def _files(types: Types, type_id: int) -> set[str]:
    mapped = (await types.source_map(type_id)).files
    return {await types.source_file(type_id), *(path.rpartition("/")[2] for path in mapped)}


async def line_spots(address: Address, types: Types, type_id: int, wanted: int) -> list[Spot]:
    """Return where line `wanted` is in a class: exactly, else the next line with code that belongs to it."""
    chart = await types.source_map(type_id)
    tables = [(method, _real_lines(address, chart, lines)) for method, lines in await types.all_lines(type_id)]
    exact = [(m, [i for i, line in entries if line == wanted]) for m, entries in tables]
    spots = [
        Spot(Location(1, type_id, m.id, index), wanted, True)
        for m, indices in exact
        if indices
        for index in (copies(indices, await types.code(m)) if len(indices) > 1 else indices)
    ]
    return spots or await _next_spots(address, types, type_id, wanted, tables)


def _real_lines(address: Address, chart: SourceMap, lines: Lines) -> list[tuple[int, int]]:
    """The entries of a line table in the lines of the address's file; code of other files is left out."""
    if not chart.ranges:
        return list(lines.entries)
    placed = [(index, chart.place(line)) for index, line in lines.entries]
    return [(index, at[1]) for index, at in placed if at and at[0].rpartition("/")[2] == address.file]


async def _next_spots(
    address: Address,
    types: Types,
    type_id: int,
    wanted: int,
    tables: Sequence[tuple[Method, list[tuple[int, int]]]],
) -> list[Spot]:
    owner, name = address.owner(wanted), await types.name(type_id)
    if owner and owner != name and not re.match(re.escape(owner) + r"\$\d", name):
        return []
    best: tuple[int, Location] | None = None
    last = end_of_function(address.path, wanted) if address.file else 0
    for method, entries in tables:
        numbers = [line for _, line in entries]
        if method.name in ("<init>", "<clinit>") and numbers and not owner and not min(numbers) <= wanted:
            continue
        if not owner and not (numbers and min(numbers) <= wanted <= max(numbers)):
            continue
        for index, line in sorted(entries):
            if line > wanted and (not last or line <= last) and (best is None or line < best[0]):
                best = (line, Location(1, type_id, method.id, index))
    return [Spot(best[1], best[0], False)] if best else []


def end_of_function(path: str, line: int) -> int:
    """Return the last line of the function that holds a line: a breakpoint never moves out of it; 0 if unknown."""
    try:
        function = _structure(path, os.stat(path).st_mtime_ns).function_at(line)
    except (OSError, UsageError):
        return 0
    return function.last if function else 0


@lru_cache(maxsize=16)
def _structure(path: str, written: int) -> "Structure":
    """The structure of a source file as it was when it was `written`; its parsers are loaded when first needed."""
    from dapwright.core.source import Structure, read

    with open(path, "rb") as source:
        return Structure(read(path, source.read()))


class FunctionName(Struct, frozen=True):
    """A function as a person names it: `balance`, `Ledger.balance`, `com.x.Ledger.<init>`."""

    owner: str
    name: str

    @property
    def patterns(self) -> list[str]:
        if not self.owner:
            return ["*"]
        simple = self.owner.rpartition(".")[2]
        if simple[:1].islower():  # a function that holds it (Kotlin), whose class has any name
            return ["*"]
        return list(dict.fromkeys([self.owner, simple, f"*.{simple}", f"*${simple}"]))

    def owns(self, class_name: str) -> bool:
        """Tell whether the class is the one named; a bare function never means the platform's."""
        if not self.owner:
            return not is_internal(class_name)
        plain = class_name.replace("$", ".")
        wanted = self.owner.replace("$", ".")
        return plain == wanted or plain.endswith("." + wanted)

    def is_local(self, method: str) -> bool:
        """Tell whether a method is a function within a function: Kotlin's `outer$inner`, named `inner` or in full."""
        parts = method.split("$")
        wanted = [*filter(None, self.owner.split(".")), self.name]
        return len(parts) > 1 and "lambda" not in parts and parts[-len(wanted) :] == wanted


def read_function(text: str) -> FunctionName:
    """Read a function's name; a parameter list is cut off, `#` and `::` are understood."""
    plain = text.split("(")[0].strip().replace("::", ".").replace("#", ".")
    owner, _, name = plain.rpartition(".")
    return FunctionName(owner.replace("$", "."), name)


async def function_spots(function: FunctionName, types: Types, type_id: int) -> list[Spot]:
    """Return the first code of every overload that the class itself has."""
    class_name = await types.name(type_id)
    owns = function.owns(class_name)
    if not owns and (is_internal(class_name) or not function.owner.rpartition(".")[2][:1].islower()):
        return []
    wanted = {function.name} if owns else set()
    if function.name == short(class_name).rpartition(".")[2]:
        wanted.add("<init>")  # `Entry.Entry` and a bare `Entry` mean the constructor
    spots = []
    for method in await types.methods(type_id):
        local = function.is_local(method.name) and not is_internal(class_name)
        if (method.name in wanted or local) and not method.flags & (codes.NATIVE | codes.ABSTRACT | codes.BRIDGE):
            lines = await types.lines(method)
            start, line = lines.entries[0] if lines.entries else (0, 0)
            spots.append(Spot(Location(1, type_id, method.id, start), line, True))
    return spots
