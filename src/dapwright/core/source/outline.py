"""The shape of a file: its functions, its statements, and the lines that can hold a breakpoint."""

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct


class Function(Struct, frozen=True):
    """A function, a method or a class. Lines are 1-based, ends included."""

    name: str
    qualified: str
    """`Class.name`, `outer.inner`, whatever the language writes between them."""
    first: int
    """With its decorators."""
    line: int
    """Where it is named: the `def`."""
    body: int
    """Where its first statement stands, a docstring left aside."""
    last: int
    kind: Literal["function", "class"] = "function"

    def holds(self, line: int) -> bool:
        """Tell whether a line lies in it, its decorators and its head included."""
        return self.first <= line <= self.last


class Statement(Struct, frozen=True):
    """A statement, without the blocks that it holds: the head alone of an `if` or a `def`."""

    first: int
    last: int
    kind: Literal["code", "definition", "decorator", "docstring"] = "code"
    entry: int = 0
    """The line that runs first, where that is not the first line; 0 where it is."""


class Outline(Struct, frozen=True):
    """What a reader found between two lines of a file."""

    functions: tuple[Function, ...] = ()
    owner: dict[int, Statement] = {}
    """The innermost statement whose lines hold the line."""
    executable: frozenset[int] = frozenset()
    exact: bool = False
    """The executable lines come from a compiler, not from the shape of the text."""


def plain(name: str) -> str:
    """Write a function's name as we do: `.` between its parts, without arguments and pointer marks.

    What Kotlin and Scala quote in backticks stays as it is, without them.
    """
    quoted = re.findall(r"`([^`]+)`", name)
    name = re.sub(r"`[^`]+`", "\0", name)
    name = (
        re.sub(r"[(<\[].*$", "", name.strip().replace("(*", "").replace("(", "").replace(")", ""))
        if name[:1] != "("
        else name
    )
    name = re.sub(r"[()*&\s]", "", name)
    name = re.sub(r"::|:|#|->|\$|\.<locals>\.|/", ".", name).strip(".")
    return re.sub("\0", lambda _: quoted.pop(0), name)


def named(functions: Iterable[Function], name: str) -> list[Function]:
    """Return the functions that a name means: bare, or as far as it is qualified. Blanks in it do not matter."""
    wanted = "." + "".join(plain(name).split())
    return [f for f in functions if ("." + "".join(f.qualified.split())).endswith(wanted)]


def innermost(functions: Iterable[Function], line: int, *, classes: bool = False) -> Function | None:
    """Return the smallest function that holds a line; None for the module's own lines."""
    holding = [f for f in functions if f.holds(line) and (classes or f.kind == "function")]
    return min(holding, key=lambda f: (f.last - f.first, -f.line), default=None)
