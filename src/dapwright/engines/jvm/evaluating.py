"""Evaluation in a frame: the interpreter first, the compiler for what is beyond it."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from dapwright.engines.jvm.expressions import parse
from dapwright.engines.jvm.expressions_calls import Operand
from dapwright.engines.jvm.expressions_names import FieldOf, Local, Scope
from dapwright.engines.jvm.expressions_run import Run
from dapwright.engines.jvm.expressions_tree import NeedsCompiler, Node
from dapwright.engines.jvm.handles import FrameHandle
from dapwright.engines.jvm.machine import CALL_SECONDS, Machine
from dapwright.engines.jvm.packets import Value

if TYPE_CHECKING:
    from dapwright.engines.jvm.compiler import Compiler


@lru_cache(maxsize=500)
def read(expression: str) -> Node | None:
    """The expression's tree; None where only a compiler can read it."""
    try:
        return parse(expression)
    except NeedsCompiler:
        return None


class Result(Struct, frozen=True):
    """A value, and how many events were passed over while it was made."""

    value: Operand
    passed: int = 0


class Evaluation:
    """Evaluates for one JVM; objects that only we know are kept until the program runs on."""

    def __init__(self, machine: Machine, compiler: "Callable[[], Compiler]") -> None:
        self.machine = machine
        self.compiler = compiler
        self.kept: list[int] = []

    async def evaluate(self, frame: FrameHandle, expression: str, *, seconds: float = CALL_SECONDS) -> Result:
        """The value of a Java expression in a frame.

        Raises:
            UsageError: the expression is wrong here, in words of its own or the compiler's.
            Thrown: it threw.
        """
        before = self.machine.passed
        node = read(expression)
        run = Run(Scope(self.machine, frame), seconds)
        try:
            value = await self._value(run, node, expression)
        finally:
            self.kept += run.calls.kept
        return Result(value, self.machine.passed - before)

    async def _value(self, run: Run, node: Node | None, expression: str) -> Operand:
        if node is not None:
            try:
                return await run.value(node)
            except NeedsCompiler:
                pass
        return await self.compiler().run(run, expression)

    async def is_true(self, frame: FrameHandle, condition: str) -> bool:
        """Whether a condition holds.

        Raises:
            DapwrightError: it cannot be told.
        """
        run = Run(Scope(self.machine, frame))
        try:
            return await run.truth(await self._value(run, read(condition), condition))
        finally:
            run.done()

    async def place(self, frame: FrameHandle, expression: str) -> Local | FieldOf | tuple[int, int, str]:
        """Where an assignment to `expression` would go."""
        node = read(expression)
        run = Run(Scope(self.machine, frame))
        if node is None:
            raise NeedsCompiler
        try:
            return await run.place(node)
        finally:
            self.kept += run.calls.kept

    async def assign(self, frame: FrameHandle, place: Local | FieldOf | tuple[int, int, str], words: str) -> Value:
        """Put the value of an expression into a place, and read it back."""
        run = Run(Scope(self.machine, frame))
        try:
            await run.write(place, await self._value(run, read(words), words))
            return await run.read(place)
        finally:
            self.kept += run.calls.kept
