"""Giving a variable of a paused program a new value, wherever it lives, and reading it back."""

import re

from dapwright.core import bodies
from dapwright.core import protocol as dap
from dapwright.core.errors import AdapterError, NotSupported
from dapwright.core.handles import Target
from dapwright.core.model import Frame, Raw, Variable
from dapwright.session.connection import Connection
from dapwright.session.looking import children, scopes
from dapwright.session.session import Session
from dapwright.session.values import EVALUATE_SECONDS, ask_value, index_of

PLACE = re.compile(r"\*?[\w$]+((\.|->|::)[\w$]+|\[[\w$]+\])*")
"""Names, members and items: an expression that calls nothing."""
ASSIGNMENT = re.compile(r"([\w$.]+)\s*=(?!=)(.+)", re.DOTALL)
EXPRESSION = "`value` is an expression of the language (a text takes its quotes); evaluate_expression tells its fault"


async def assigned(
    session: Session, connection: Connection, frame: Frame, expression: str
) -> bodies.EvaluateBody | None:
    """Carry out an assignment where the engine evaluates none (Delve sets variables by request only); None: no such."""
    can, parts = connection.capabilities, ASSIGNMENT.fullmatch(expression.strip())
    if parts is None or can.supports_set_expression or not can.supports_set_variable:
        return None
    variable, container = await beyond_locals(session, connection, frame, parts[1])
    if variable is None or container is None:
        return None
    return await assign(
        session, connection, frame=frame, container=container, variable=variable, value=parts[2].strip()
    )


async def beyond_locals(
    session: Session, connection: Connection, frame: Frame, name: str
) -> tuple[Variable | None, Target | None]:
    """A variable that the frame sees though it is none of its locals, and the scope that holds it.

    The enclosing function's, the module's, a global; else a place that an expression names
    (`bank.balance`, `this->owner`, a field): no scope holds that one. (None, None) where there is none.
    """
    told = sorted(await scopes(connection, frame), key=lambda scope: bool(scope.expensive))
    for scope in told:
        for variable in await children(connection, scope.variables_reference):
            if variable.name == name:
                return variable, Target(connection.number, connection.epoch, scope.variables_reference)
    whole = any(scope.name.lower().startswith("global") for scope in told)
    if not PLACE.fullmatch(name) or (whole and name.isidentifier()):
        return None, None
    can = connection.capabilities
    try:
        body = await ask_value(connection, frame.id, name, context=session.adapter.evaluate_context)
        if can.supports_set_variable and not can.supports_set_expression and "." in name:
            member, holder = await _member(session, connection, frame, name)
            if member is not None:
                return member, holder  # else an item of a member: assigned as an expression
    except AdapterError:
        return None, None
    return Variable(name, Raw(body.result), body.type or "", body.variables_reference, name), None


async def _member(
    session: Session, connection: Connection, frame: Frame, name: str
) -> tuple[Variable | None, Target | None]:
    """A member by its holder, for engines that set members only there (Delve: through the pointer's one child)."""
    holder, _, last = name.rpartition(".")
    body = await ask_value(connection, frame.id, holder, context=session.adapter.evaluate_context)
    reference = body.variables_reference
    while reference:
        found = await children(connection, reference)
        mine = next((one for one in found if one.name == last), None)
        if mine is not None:
            return mine, Target(connection.number, connection.epoch, reference)
        reference = found[0].reference if len(found) == 1 else 0
    return None, None


async def assign(
    session: Session, connection: Connection, *, frame: Frame, container: Target | None, variable: Variable, value: str
) -> bodies.EvaluateBody:
    """Give a variable a new value, and read back what it is now.

    debugpy's setVariable answers success and keeps the old value when the new one is no
    expression (1.8.22), so an assignment by name goes through setExpression or evaluate.

    Raises:
        AdapterError: the value is no expression of the language, or does not fit.
    """
    can = connection.capabilities
    if variable.evaluate_name and can.supports_set_expression:
        arguments = {"expression": variable.evaluate_name, "value": value, "frameId": frame.id}
        try:
            told = await connection.client.ask(dap.SET_EXPRESSION, arguments, EVALUATE_SECONDS)
        except AdapterError as refused:
            raise AdapterError(str(refused), refused.hint or EXPRESSION) from None
    elif can.supports_set_variable and container is not None:
        arguments = {"variablesReference": container.engine_id, "name": variable.name, "value": value}
        try:
            told = await connection.client.ask(dap.SET_VARIABLE, arguments, EVALUATE_SECONDS)
        except AdapterError:
            if not (container.size and variable.evaluate_name and session.adapter.items_apart):
                raise
            # Delve (1.27) finds only the first 64 items by their names
            return await _by_expression(session, connection, frame=frame, variable=variable, value=value)
    elif session.adapter.assignment and (variable.evaluate_name or index_of(variable.name) is None):
        return await _by_expression(session, connection, frame=frame, variable=variable, value=value)
    else:
        raise NotSupported(
            f"{session.adapter.display_name} cannot set a variable here", "assign to it with evaluate_expression"
        )
    if variable.evaluate_name:
        return await ask_value(connection, frame.id, variable.evaluate_name, context=session.adapter.evaluate_context)
    return bodies.EvaluateBody(result=told.value, type=told.type, variables_reference=told.variables_reference or 0)


async def _by_expression(
    session: Session, connection: Connection, *, frame: Frame, variable: Variable, value: str
) -> bodies.EvaluateBody:
    """Assign as the language writes it; where its engine evaluates no assignment, in the scope that holds the name."""
    context, name = session.adapter.evaluate_context, variable.evaluate_name
    try:
        wish = session.adapter.assignment.format(name or variable.name, value)
        answered = await ask_value(connection, frame.id, wish, context=context)
    except AdapterError:
        _, held = await beyond_locals(session, connection, frame, variable.name)
        if held is None or not connection.capabilities.supports_set_variable:
            raise
        return await assign(session, connection, frame=frame, container=held, variable=variable, value=value)
    return await ask_value(connection, frame.id, name, context=context) if name else answered
