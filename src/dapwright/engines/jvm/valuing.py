"""Requests that evaluate and change, and those that tell of exceptions."""

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.jvm.expressions_calls import Operand
from dapwright.engines.jvm.expressions_names import FieldOf, Local, Scope
from dapwright.engines.jvm.handles import FrameHandle, ObjectHandle
from dapwright.engines.jvm.looking import frame_of, variable
from dapwright.engines.jvm.machine import CALL_SECONDS
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.signatures import dotted
from dapwright.engines.jvm.text import quote

CHAIN = 10
"""Causes of an exception that are followed."""


@REQUESTS.on("evaluate", dict, capabilities=("supportsEvaluateForHovers",), concurrent=True)
async def evaluate(session: Session, arguments: Body) -> Body:
    """The value of a Java expression in a frame; statements and lambdas go through the compiler."""
    frame = frame_of(session, arguments)
    seconds = float(arguments.get("timeout") or 0) / 1000 or CALL_SECONDS
    expression = str(arguments.get("expression") or "")
    found = await session.live.evaluation.evaluate(frame, expression, seconds=seconds)
    body = await _operand(session, frame, found.value, expression)
    if found.passed:
        body["note"] = f"{found.passed} stops inside the evaluation were passed over"
    return body


async def _operand(session: Session, frame: FrameHandle, value: Operand, path: str) -> Body:
    if isinstance(value, str):
        return {"result": quote(value), "type": "String", "variablesReference": 0}
    told = await variable(session, frame.thread, "", value, path)
    told["result"] = told.pop("value")
    del told["name"]
    return told


@REQUESTS.on("setVariable", dict, capabilities=("supportsSetVariable",))
async def set_variable(session: Session, arguments: Body) -> Body:
    """Change a local, a field or an item; the answer is what it is now."""
    handle = session.references.take(int(arguments.get("variablesReference") or 0))
    name, words = str(arguments.get("name") or ""), str(arguments.get("value") or "")
    evaluation = session.live.evaluation
    if isinstance(handle, ObjectHandle):
        frame = FrameHandle(handle.thread, 0)
        value = await evaluation.assign(frame, await _part(session, handle, name), words)
    else:
        frame = handle.frame
        value = await evaluation.assign(frame, await evaluation.place(frame, name), words)
    told = await variable(session, frame.thread, name, value, name)
    return {key: inner for key, inner in told.items() if key not in ("name", "evaluateName")}


async def _part(session: Session, handle: ObjectHandle, name: str) -> Local | FieldOf | tuple[int, int, str]:
    machine = session.live.machine
    signature = await machine.types.signature(await machine.type_of(handle.value.value))
    if signature.startswith("["):
        index = int(name.strip("[]")) if name.strip("[]").isdigit() else -1
        if not 0 <= index < await machine.array_length(handle.value.value):
            raise UsageError(f"the array has no item `{name}`")
        return (handle.value.value, index, signature[1:])
    for field in await session.live.values.instance_fields(await machine.type_of(handle.value.value)):
        if field.name == name:
            return FieldOf(handle.value.value, field)
    raise UsageError(f"`{name}` cannot be set there", "call the collection's own methods with `evaluate`")


@REQUESTS.on("setExpression", dict, capabilities=("supportsSetExpression",))
async def set_expression(session: Session, arguments: Body) -> Body:
    """Change what an expression names."""
    frame = frame_of(session, arguments)
    evaluation = session.live.evaluation
    place = await evaluation.place(frame, str(arguments.get("expression") or ""))
    value = await evaluation.assign(frame, place, str(arguments.get("value") or ""))
    told = await variable(session, frame.thread, "", value, str(arguments.get("expression") or ""))
    return {key: inner for key, inner in told.items() if key not in ("name", "evaluateName")}


@REQUESTS.on("exceptionInfo", dict, capabilities=("supportsExceptionInfoRequest",))
async def exception_info(session: Session, arguments: Body) -> Body:
    """The exception that a thread stands at: its class, message, causes and stack."""
    thread = session.standing(int(arguments.get("threadId") or 0))
    stop = session.live.stops.stands(thread)
    if stop is None or not stop.exception or stop.thread != thread:
        raise UsageError("that thread does not stand at an exception")
    chain = await _chain(session, thread, stop.exception)
    return {
        "exceptionId": chain[0]["fullTypeName"],
        "description": chain[0].get("message") or chain[0]["typeName"],
        "breakMode": "unhandled" if not stop.catch_type else "always",
        "details": _nested(chain),
    }


async def _chain(session: Session, thread: int, exception: int) -> list[Body]:
    machine = session.live.machine
    chain: list[Body] = []
    seen: set[int] = set()
    while exception and exception not in seen and len(chain) < CHAIN:
        seen.add(exception)
        name = await machine.types.name(await machine.type_of(exception))
        told: Body = {"fullTypeName": name, "typeName": dotted(name).rpartition(".")[2]}
        message = await _message(session, thread, exception)
        chain.append(told | ({"message": message} if message is not None else {}))
        cause = await machine.detail(exception, "cause")
        if not cause.value:
            cause = await machine.detail(exception, "target")  # InvocationTargetException
        exception = cause.value
    return chain


async def _message(session: Session, thread: int, exception: int) -> str | None:
    """`getMessage()`, as the class has it (a NullPointerException explains itself there); else its field."""
    machine = session.live.machine
    scope = Scope(machine, FrameHandle(thread, 0))
    try:
        for type_id in await machine.types.ancestry(await machine.type_of(exception)):
            for method in await machine.types.methods(type_id):
                if method.name == "getMessage" and method.signature == "()Ljava/lang/String;":
                    told = await machine.call(scope.thread, method, [], on=exception, seconds=2)
                    return await machine.string(told.value) if told.value else None
    except DapwrightError:
        pass
    field = await machine.detail(exception, "detailMessage")
    return await machine.string(field.value) if field.value else None


def _nested(chain: list[Body]) -> Body:
    inner: list[Body] = []
    for told in reversed(chain):
        inner = [told | ({"innerException": inner} if inner else {})]
    return inner[0]
