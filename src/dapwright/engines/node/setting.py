"""Changing variables and properties, with the answer read back: V8's "done" is not always true."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import AdapterError, DapwrightError, UsageError
from dapwright.engines.node import values
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Held, Json, Target
from dapwright.engines.node.variables import GROUP, properties, reference


class SetVariable(msgspec.Struct, rename="camel"):
    variables_reference: int
    name: str
    value: str


@REQUESTS.on("setVariable", SetVariable, capabilities=("supportsSetVariable",))
async def set_variable(session: Session, ask: SetVariable) -> Mapping[str, Any]:
    """Change a variable or a property; the answer is what it is afterwards, read back."""
    target, held = session.held(ask.variables_reference)
    stop = target.standing()
    frame = target.frames.get(held.frame).call_id if held.frame is not None else stop.call_frames[0]["callFrameId"]
    new = await _evaluated(target, frame, ask.value)
    if held.kind == "scope":
        before = await _read(target, held, frame, ask.name)
        await _assign(target, held, frame, ask.name, new)
        target.changed = True
        after = await _read(target, held, frame, ask.name)
        if not _same(after, new) and _same(after, before):
            raise AdapterError(
                f"V8 took the new value of `{ask.name}` and kept the old one: the function runs as optimized code",
                "step once, then set it again",
            )
    else:
        after = await _set_member(target, held, ask.name, new)
    return {"value": values.render(after), "type": values.type_name(after), **reference(target, after, "")}


def _same(left: Json, right: Json) -> bool:
    keys = ("type", "value", "unserializableValue", "description")
    return all(left.get(k) == right.get(k) for k in keys)


async def _evaluated(target: Target, frame: str, expression: str) -> Json:
    answer = await target.inspector.ask(
        "Debugger.evaluateOnCallFrame",
        callFrameId=frame,
        expression=f"({expression}\n)",
        objectGroup=GROUP,
        timeout=10_000,
    )
    if "exceptionDetails" in answer:
        raise UsageError(
            f"`{expression}`: {values.failure(answer['exceptionDetails'])}", "write a JavaScript expression"
        )
    return answer["result"]  # type: ignore[no-any-return]


async def _read(target: Target, held: Held, frame: str, name: str) -> Json:
    """Return a variable of a scope as the frame sees it now (V8's listing is a copy made at the stop)."""
    for _, object_id in held.parts:
        for own in (await properties(target, object_id))["result"]:
            if own["name"] == name:
                answer = await target.inspector.ask(
                    "Debugger.evaluateOnCallFrame",
                    callFrameId=frame,
                    expression=name,
                    generatePreview=True,
                    objectGroup=GROUP,
                    silent=True,
                )
                copied = own.get("value") or {"type": "undefined"}
                return copied if "exceptionDetails" in answer else answer["result"]
    raise UsageError(f"there is no variable `{name}` in this scope", "list the scope's variables")


async def _assign(target: Target, held: Held, frame: str, name: str, new: Json) -> None:
    number = held.parts[0][0]
    for number, object_id in held.parts:  # noqa: B007  (the first scope that has it)
        if any(own["name"] == name for own in (await properties(target, object_id, preview=False))["result"]):
            break
    try:
        await target.inspector.ask(
            "Debugger.setVariableValue",
            scopeNumber=number,
            variableName=name,
            newValue=values.argument(new),
            callFrameId=frame,
        )
    except DapwrightError as refused:
        if not re.fullmatch(r"[\w$]+", name):
            raise
        await _assign_by_code(target, frame, name, new, str(refused))


async def _assign_by_code(target: Target, frame: str, name: str, new: Json, why: str) -> None:
    """Module and script scopes are not settable through the inspector; an assignment in the frame is."""
    holder = "__dapwright_new"
    await target.inspector.ask(
        "Runtime.callFunctionOn",
        functionDeclaration=f"function(v){{globalThis.{holder}=v}}",
        arguments=[values.argument(new)],
        executionContextId=target.context,
    )
    answer = await target.inspector.ask(
        "Debugger.evaluateOnCallFrame",
        callFrameId=frame,
        expression=f"{name} = globalThis.{holder}; delete globalThis.{holder}",
    )
    if "exceptionDetails" in answer:
        raise AdapterError(f"`{name}` cannot be set: {values.failure(answer['exceptionDetails'])} ({why})")


async def _set_member(target: Target, held: Held, name: str, new: Json) -> Json:
    if held.kind in ("map", "set", "proxy", "getter"):
        raise UsageError(f"a member of this {held.kind} cannot be set by name", "evaluate a call that changes it")
    answer = await target.inspector.ask(
        "Runtime.callFunctionOn",
        objectId=held.object_id,
        functionDeclaration="function(k,v){'use strict';this[k]=v;return this[k]}",
        arguments=[{"value": name}, values.argument(new)],
        generatePreview=True,
        objectGroup=GROUP,
    )
    if "exceptionDetails" in answer:
        raise AdapterError(f"`{name}` cannot be set: {values.failure(answer['exceptionDetails'])}")
    return answer["result"]  # type: ignore[no-any-return]
