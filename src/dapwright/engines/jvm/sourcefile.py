"""Which classes a source file makes, read from its text: the package, each type and its lines.

A scan of braces, strings and comments, good for Java, Kotlin, Groovy and Scala 2. It only
chooses which classes to wait for; where a breakpoint goes is decided by the class file.
"""

import re
from functools import cached_property

from msgspec import Struct

PACKAGE = re.compile(r"^\s*package\s+([\w.`]+)", re.MULTILINE)
FILE_CLASS = re.compile(r"@file:\s*JvmName\(\s*\"([^\"]+)\"")
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
TYPE = re.compile(
    r"(?<![\w.$])(?:class|interface|enum|record|@interface|object|trait)\s+(?:class\s+)?([A-Za-z_]\w*)"
    r"|(?<![\w.$])(companion\s+object)(?!\s+\w)"
    r"|([{};])|(?<![\w.$])(fun)\b"
)


def read_text(path: str) -> str:
    """The text of a source; what is no UTF-8 in it is replaced.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Declared(Struct, frozen=True):
    """A type by its binary name without the package (`Outer$Inner`), and its lines."""

    name: str
    first: int
    last: int


class SourceFile(Struct, frozen=True, dict=True):
    """What a source file declares."""

    package: str
    types: tuple[Declared, ...]
    file_class: str = ""
    """Kotlin's class for what stands outside any type: `GreetKt`."""
    inlines: bool = False
    """It has inline functions, whose code ends up in any class."""

    @cached_property
    def names(self) -> frozenset[str]:
        """The binary names of all types that are declared with a name."""
        return frozenset(self.full(kind.name) for kind in self.types)

    def full(self, name: str) -> str:
        return f"{self.package}.{name}" if self.package else name

    def patterns(self) -> list[str]:
        """Class patterns that hold every class this file makes."""
        tops = [kind.name for kind in self.types if "$" not in kind.name]
        if self.file_class:
            tops.append(self.file_class)
        return [pattern for top in dict.fromkeys(tops) for pattern in (self.full(top), self.full(top) + "$*")]

    def owner(self, line: int) -> str:
        """The innermost type whose lines hold `line`, else the file's own class, else ""."""
        around = [kind for kind in self.types if kind.first <= line <= kind.last]
        if around:
            return self.full(max(around, key=lambda kind: kind.first).name)
        return self.full(self.file_class) if self.file_class else ""


def read_source(text: str, name: str) -> SourceFile:
    """Read the source `text` of the file called `name` (its bare name)."""
    stem, _, ending = name.rpartition(".")
    plain = NOISE.sub(lambda hit: re.sub(r"[^\n]", " ", hit[0]), text)
    package = PACKAGE.search(plain)
    file_class = ""
    if ending == "kt":
        named = FILE_CLASS.search(text)
        file_class = named[1] if named else stem[:1].upper() + re.sub(r"\W", "_", stem[1:]) + "Kt"
    inlines = ending == "kt" and re.search(r"\binline\s+(\w+\s+)*fun\b", plain) is not None
    found = tuple(_types(plain))
    if ending == "java" and not found:
        found = (Declared(stem, 1, text.count("\n") + 1),)  # a compact source file (JDK 25)
    return SourceFile(package[1].replace("`", "") if package else "", found, file_class, inlines)


def _types(plain: str) -> list[Declared]:
    """Walk the braces; a type named and not yet opened waits for its `{` (Kotlin may have none)."""
    found: list[Declared] = []
    stack: list[tuple[str, int]] = []  # (binary name or "" for another block, first line)
    waiting: tuple[str, int] | None = None

    def prefix() -> str:
        return "".join(name + "$" for name, _ in stack[-1:] if name) or next(
            (name + "$" for name, _ in reversed(stack) if name), ""
        )

    def close_waiting(last: int) -> None:
        nonlocal waiting
        if waiting is not None:
            found.append(Declared(waiting[0], waiting[1], last))
            waiting = None

    for hit in TYPE.finditer(plain):
        line = plain.count("\n", 0, hit.start()) + 1
        if hit[1] or hit[2]:
            close_waiting(line - 1)
            waiting = (prefix() + (hit[1] or "Companion"), line)
        elif hit[4]:
            close_waiting(line - 1)  # Kotlin: the type before had no body
        elif hit[3] == "{":
            stack.append(waiting or ("", line))
            waiting = None
        elif hit[3] == "}" and stack:
            close_waiting(line)
            name, first = stack.pop()
            if name:
                found.append(Declared(name, first, line))
    close_waiting(plain.count("\n") + 1)
    return sorted(found, key=lambda kind: (kind.first, kind.name))
