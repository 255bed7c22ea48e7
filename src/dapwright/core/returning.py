"""How the results of a function are read where its engine tells none after a step out (Delve's DAP server).

They lie in the frame that was left, which nothing has written over while its goroutine stands at
the return: their places are asked for before the step, and read after it. That is what Delve's own
command line does for its `finish`.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from dapwright.core.protocol import Request

if TYPE_CHECKING:
    from dapwright.core.source import SourceFile


class Results(Struct, frozen=True):
    """What a function's own text says of its results."""

    names: tuple[str, ...]
    """As the engine names them among the function's variables, in order."""
    settled: bool
    """At the place asked about each has the place that it keeps: none may be moved to the heap yet."""


class Returning(Struct, frozen=True):
    """The engine's words for it."""

    bounds: str
    """An expression for where the thread's stack lies."""
    offset: str
    """An expression for where a frame begins, counted from the end of its stack."""
    limits: Callable[[str], tuple[int, int] | None]
    """Lowest and highest address of a stack, from that expression's text."""
    place: Callable[[str], int | None]
    """A variable's address, from its `dataId`."""
    typed: Callable[[str], str]
    """A variable's own type, from the one that is shown."""
    read: Callable[[str, int], str]
    """An expression for the value of a type at an address."""
    results: Callable[["SourceFile", int, str], Results | None]
    """The results of the function of that name around a line; None where its text does not tell for sure."""
    unnamed: re.Pattern[str]
    """The engine's names of results that have none of their own."""
    clears: re.Pattern[str]
    """Instructions at a function's beginning that only store: until they ran, results are not readable."""
    unfit: re.Pattern[str]
    """Names of scopes whose variables have no such places (optimised code)."""
    unreadable: re.Pattern[str]
    """Words of a value that could not be read."""


class Place(Struct, frozen=True):
    """Where a result lies."""

    name: str
    type: str
    address: int


class Left(Struct, frozen=True):
    """What must hold where a step out ends, and the places that are read then."""

    thread: int | None
    caller: str
    offset: str
    stack: tuple[int, int]
    places: tuple[Place, ...]


class Ending(Struct, frozen=True):
    """For engines whose step out ends at the function's own end (rdbg)."""

    names: frozenset[str]
    """The variable that holds there what is returned: one step more reaches the caller."""


class Stride(Struct):
    """Where a step began, for it to be finished when a breakpoint that asked for no stop has cut it short."""

    request: Request[Any]
    thread: int
    """The engine's own id."""
    depth: int
    """Frames of its stack."""
    line: int
    mended: bool = False
    """The engine has been sent a part of it anew, whose end may not be its own."""


class Out(Struct):
    """A step under way on one connection."""

    stride: Stride | None = None
    stepping: bool = False
    """What was asked last is a step."""
    cut: bool = False
    """A step was told of a breakpoint within it, and then a continue was asked."""
    left: Left | None = None
    """What a step out leaves."""
    ending: bool = False
    """The step's end may be at the function's own end."""
    returned: dict[str, Any] | None = None
    """What was returned there."""
    unheard: bool = False
    """Its stops are of single instructions, which nobody asked for."""
