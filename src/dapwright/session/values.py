"""Values of a paused program: expressions, and how they are had whole."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from dapwright.core import bodies
from dapwright.core import protocol as dap
from dapwright.core.adapter import Whole
from dapwright.core.errors import AdapterError, DapwrightError, NotAllowed, TimeLimit, UsageError
from dapwright.core.model import Frame, Raw, Variable
from dapwright.session.connection import Connection, Stop
from dapwright.session.looking import NAMELESS, Page, children
from dapwright.session.session import Session

EVALUATE_SECONDS = 30.0
GRACE = 1.2
"""Seconds that an interrupted evaluation may take to be gone: it may catch the first interruptions."""
PREPARE_SECONDS = 5.0
DIGITS = 12
"""A longer number is no index of anything that a program holds."""
INTERRUPTED = "DapwrightTimeLimit"
"""The exception by which code of ours in the program interrupts an evaluation."""


async def ask_value(
    connection: Connection,
    frame: int | None,
    expression: str,
    *,
    context: str = "repl",
    seconds: float = EVALUATE_SECONDS,
) -> bodies.EvaluateBody:
    """Evaluate in a frame, within a time limit.

    Raises:
        AdapterError: it failed, in the engine's words.
        TimeLimit: it ran longer than `seconds`.
    """
    arguments: dict[str, Any] = {"expression": expression, "context": context}
    if frame is not None:
        arguments["frameId"] = frame
    if connection.adapter.evaluate_limit:
        arguments[connection.adapter.evaluate_limit] = seconds
    waiter = connection.client.send(dap.EVALUATE, arguments)
    late = f"`{expression[:200]}` did not finish within {seconds:g} s ({seconds * 1000:.0f} ms)"
    try:
        message = await asyncio.wait_for(asyncio.shield(waiter), seconds + (GRACE if connection.bounded else 0))
    except TimeoutError:
        if connection.adapter.evaluate_limit:
            connection.client.occupy(expression[:200], waiter)
        raise TimeLimit(
            late, "it may still run in the program; pass a longer `timeout`, or pause, or restart the session"
        ) from None
    try:
        body = connection.client.opened(dap.EVALUATE, message)
    except AdapterError as failure:
        if INTERRUPTED in str(failure):
            raise TimeLimit(
                f"{late} and was interrupted", "the program stands where it stood; pass a longer `timeout`"
            ) from None
        raise
    if failed := connection.adapter.failure(expression, body.type or "", body.result):
        raise AdapterError(failed)
    return body


async def prepare(session: Session, connection: Connection) -> None:
    """Bring our code into a process that was not started by us; without it nothing is lost but the bounds."""
    adapter = session.adapter
    if adapter.prelude is None or connection.bounded:
        return
    connection.bounded = True
    if connection is session.main and session.program is not None:
        return
    try:
        await ask_value(connection, None, adapter.prelude(session.host), seconds=PREPARE_SECONDS)
    except DapwrightError as failure:
        connection.bounded = False
        session.notes.append(f"looking at values is not bounded here: {failure}")


async def evaluate(
    session: Session, connection: Connection, frame: Frame, expression: str, *, seconds: float, pure: bool = False
) -> bodies.EvaluateBody:
    """Evaluate what an agent asks. `pure` refuses what would change the program, where the engine can tell.

    Raises:
        NotSupported: `pure`, and this engine cannot tell.
    """
    adapter = session.adapter
    context = adapter.context_of(expression) if adapter.context_of else adapter.evaluate_context
    if pure:
        session.adapter.refuse_effects(expression)
        context = "watch"
    session.evaluating += 1
    try:
        body = await _asked(session, connection, frame, expression, context=context, seconds=seconds, pure=pure)
        if adapter.whole and adapter.whole.cut.search(body.result):
            return await in_full(connection, adapter.whole, frame.id, expression) or body
        return body
    finally:
        session.evaluating -= 1


async def _asked(
    session: Session, connection: Connection, frame: Frame, expression: str, *, context: str, seconds: float, pure: bool
) -> bodies.EvaluateBody:
    """Evaluate as it is written, else as this engine wants calls and assignments written."""
    try:
        return await ask_value(connection, frame.id, expression, context=context, seconds=seconds)
    except AdapterError as failure:
        again = connection.adapter.rephrase(expression, str(failure))
        if again is None:
            raise
        if pure:
            raise NotAllowed(
                f"`{expression[:200]}` may change the program", "pass allowSideEffects to evaluate it all the same"
            ) from None
    try:
        body = await ask_value(connection, frame.id, again.expression, context=context, seconds=seconds)
    except AdapterError as failure:
        if not connection.adapter.interrupted or connection.adapter.interrupted not in str(failure):
            raise
        _move(session, connection)
        raise AdapterError(
            f"`{again.expression[:200]}` met a breakpoint or a panic before its end, and the program stands there now",
            "get_stack_trace shows where; continue_execution lets the call end",
        ) from None
    if again.changed:
        return await ask_value(connection, frame.id, again.changed, context=context, seconds=seconds)
    if not body.variables_reference or body.type:
        return body
    results = await children(connection, body.variables_reference)
    if len(results) != 1:
        return body
    (one,) = results  # what a function gave back, in a container of its own
    if one.name == connection.adapter.panicked:
        raise AdapterError(f"the call panicked: {one.value}")
    return bodies.EvaluateBody(result=one.value, type=one.type, variables_reference=one.reference)


def _move(session: Session, connection: Connection) -> None:
    """The program stands elsewhere than before the call: the old stop's frames mean nothing any more."""
    session.release(connection)
    stop, connection.passed = connection.passed, None
    if stop is not None:
        session.tasks.start(session.judge(session, stop), "judge")


async def in_full(
    connection: Connection, whole: Whole, frame: int | None, expression: str
) -> bodies.EvaluateBody | None:
    """The value that the engine had cut, whole; None where this engine cannot be told to."""
    try:
        await ask_value(connection, None, whole.before)
        try:
            return await ask_value(connection, frame, expression)
        finally:
            await ask_value(connection, None, whole.after)
    except AdapterError:
        return None


async def widen(session: Session, connection: Connection, page: Page, frame: int | None) -> None:
    """Have the values of a page whole that the engine had cut."""
    whole = session.adapter.whole
    if whole is None:
        return
    for at, one in enumerate(page.variables):
        if one.evaluate_name and whole.cut.search(one.value):
            body = await in_full(connection, whole, frame, one.evaluate_name)
            if body is not None:
                page.variables[at] = msgspec.structs.replace(one, value=Raw(body.result))


async def evaluate_top(stop: Stop, expression: str) -> bodies.EvaluateBody:
    """Evaluate in a stop's innermost frame, for a condition or a message of ours."""
    frames = await stop.connection.frames(stop, 1)
    if not frames:
        raise AdapterError("the stopped thread has no frames")
    return await ask_value(stop.connection, frames[0].id, expression, context="watch", seconds=5.0)


def pick(page: Page, names: Sequence[str]) -> Page:
    """Keep the variables of these names, in the order asked; the rest is told as missing."""
    found = {name: variable for name in names if (variable := find(page.variables, name)) is not None}
    page.variables = list(found.values())
    page.missing = [name for name in names if name not in found]
    return page


def index_of(name: str) -> int | None:
    """The index that an item's name tells, however it is written: `5`, `[5]`, `0005`; None where it tells none."""
    bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < DIGITS else None


def find(variables: Sequence[Variable], name: str) -> Variable | None:
    """The variable of that name; an item also by its index, whatever digits and brackets the engine writes."""
    exact = next((one for one in variables if (one.name or NAMELESS) == name), None)
    at = index_of(name)
    if exact is not None or at is None:
        return exact
    return next((one for one in variables if index_of(one.name) == at), None)


def refuse_empty(expression: str) -> str:
    """An expression without anything in it has no value."""
    if not expression.strip():
        raise UsageError("`expression` is empty", "pass an expression of the program's language")
    return expression
