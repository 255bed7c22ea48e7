"""Stops at exceptions: which are asked for, and which of those that come are told."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from msgspec import Struct

from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.events import Event
from dapwright.engines.jvm.machine import LoadedType, Machine
from dapwright.engines.jvm.signatures import is_internal, signature_of

FRAMEWORKS = (
    "org.junit.",
    "junit.",
    "org.testng.",
    "org.opentest4j.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "org.apache.maven.",
    "org.gradle.",
    "worker.org.gradle.",
    "org.spockframework.",
    "io.kotest.",
    "org.scalatest.",
)
EXPECTING = ("AssertThrows", "ThrowableAssert", "ExpectException", "ExpectedException", "ThrowingRunnable")
"""Classes of test frameworks that catch what a test wants to be thrown."""
ABORTS = ("Lorg/opentest4j/TestAbortedException;", "Lorg/junit/AssumptionViolatedException;")
FILTERS: list[dict[str, Any]] = [
    {"filter": "uncaught", "label": "Uncaught exceptions", "default": True},
    {
        "filter": "caught",
        "label": "Caught exceptions",
        "supportsCondition": True,
        "conditionDescription": "class names, separated by commas; subclasses count",
    },
    {"filter": "unhandled", "label": "Exceptions of the program's code that it does not catch itself"},
]

Wait = Callable[[str, Callable[[LoadedType], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]


def is_foreign(name: str) -> bool:
    """Tell whether a class is the platform's or a test framework's."""
    return is_internal(name) or name.startswith(FRAMEWORKS)


def is_meant(signature: str, name: str) -> bool:
    """Tell whether a class name, whole or without its package (`IllegalStateException`), means a class.

    >>> is_meant("Ljava/lang/IllegalStateException;", "IllegalStateException")
    True
    """
    return signature == signature_of(name) or ("." not in name and signature.endswith((f"/{name};", f"${name};")))


class Wanted(Struct, frozen=True):
    """What to stop at: an event's flags, and class names (none: every class)."""

    caught: bool
    uncaught: bool
    unhandled: bool = False
    classes: tuple[str, ...] = ()


def read_wanted(arguments: Mapping[str, Any]) -> list[Wanted]:
    """Read `setExceptionBreakpoints`: filters, filter options with class names, exception options."""
    chosen: list[tuple[str, str]] = [(name, "") for name in arguments.get("filters") or ()]
    chosen += [(one.get("filterId", ""), one.get("condition") or "") for one in arguments.get("filterOptions") or ()]
    wanted = []
    for name, condition in chosen:
        classes = tuple(part.strip() for part in condition.split(",") if part.strip())
        if name == "all":
            wanted.append(Wanted(True, True, classes=classes))
        elif name in ("uncaught", "caught", "unhandled"):
            wanted.append(Wanted(name != "uncaught", name == "uncaught", name == "unhandled", classes))
    for option in arguments.get("exceptionOptions") or ():
        path = option.get("path") or ()  # its first part is a category, such as `Java Exceptions`
        parts = path[1:] if len(path) > 1 else path
        names = tuple(name for part in parts for name in part.get("names") or () if not part.get("negate"))
        mode = option.get("breakMode", "always")
        if mode != "never":
            wanted.append(Wanted(mode == "always", True, mode == "userUnhandled", names))
    return wanted


class Exceptions:
    """The requests for exceptions of one JVM."""

    def __init__(self, machine: Machine, wait: Wait) -> None:
        self.machine = machine
        self._wait = wait
        self._requests: dict[int, Wanted] = {}
        self._wanted: Sequence[Wanted] = ()

    async def want(self, wanted: Sequence[Wanted]) -> list[str]:
        """Make `wanted` what is stopped at; returns the class names that are not loaded yet."""
        for request in self._requests:
            await self.machine.clear_request(Kind.EXCEPTION, request)
        self._requests.clear()
        self._wanted = wanted
        pending = []
        for one in wanted:
            if not one.classes:
                await self._ask(one, 0)
            for name in one.classes:
                loaded = await self._loaded(name)
                for kind in loaded:
                    await self._ask(one, kind.id)
                if not loaded:
                    pending.append(name)
                for pattern in (name,) if "." in name else (name, f"*.{name}", f"*${name}"):
                    await self._wait(pattern, self._prepared)
        return pending

    async def _loaded(self, name: str) -> list[LoadedType]:
        """The loaded classes that a name means: a name without a package means every class of it."""
        if "." in name:
            return await self.machine.classes(signature_of(name))
        return [one for one in await self.machine.all_classes() if is_meant(one.signature, name)]

    async def _prepared(self, loaded: LoadedType) -> None:
        for one in self._wanted:
            if any(is_meant(loaded.signature, name) for name in one.classes):
                await self._ask(one, loaded.id)

    async def _ask(self, one: Wanted, type_id: int) -> None:
        rest = self.machine.modifiers().exception(type_id, caught=one.caught, uncaught=one.uncaught)
        policy = Policy.THREAD if one.caught else Policy.ALL
        self._requests[await self.machine.set_request(Kind.EXCEPTION, policy, rest)] = one

    async def wants(self, event: Event) -> bool:
        """Tell whether a thrown exception is worth a stop: what the platform catches of itself is not."""
        one = self._requests.get(event.request)
        if one is None:
            return False
        if event.catch.type == 0:
            return one.uncaught or one.unhandled
        if one.classes:
            return True
        names = self.machine.types
        catcher = await names.name(event.catch.type)
        if not one.unhandled:
            return not is_internal(catcher) or not is_internal(await names.name(event.location.type))
        if not is_foreign(catcher) or any(word in catcher for word in EXPECTING):
            return False
        thrown = await self.machine.type_of(event.exception)
        if [signature for signature in ABORTS if await names.is_a(thrown, signature)]:
            return False
        return await self._is_expected(event) is False and await self._from_program(event)

    async def _is_expected(self, event: Event) -> bool:
        method = await self.machine.types.method(event.catch.type, event.catch.method)
        return method is not None and "assertThrows" in method.name

    async def _from_program(self, event: Event) -> bool:
        """Tell whether code of the program stands between the throw and the catch."""
        frames = await self.machine.frames(event.thread)
        for frame in frames:
            if (frame.location.type, frame.location.method) == (event.catch.type, event.catch.method):
                return False
            if not is_foreign(await self.machine.types.name(frame.location.type)):
                return True
        return False
