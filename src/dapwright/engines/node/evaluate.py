"""Evaluation in a frame, or in the program at large."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import AdapterError, TimeLimit
from dapwright.engines.node import values
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Json, Target
from dapwright.engines.node.variables import reference

LIMIT_MS = 30_000
PURE_CONTEXTS = ("watch", "hover")
SIDE_EFFECT = "EvalError: Possible side-effect in debug-evaluate"


class Evaluate(msgspec.Struct, rename="camel"):
    expression: str
    frame_id: int | None = None
    context: str = "repl"
    allow_side_effects: bool | None = None
    timeout: int = LIMIT_MS
    """Milliseconds that the program's own code may take."""


@REQUESTS.on("evaluate", Evaluate, concurrent=True, capabilities=("supportsEvaluateForHovers",))
async def evaluate(session: Session, ask: Evaluate) -> Mapping[str, Any]:
    """The value of an expression or of statements; without a frame, of the program's global scope."""
    target, call = _place(session, ask)
    pure = ask.context in PURE_CONTEXTS if ask.allow_side_effects is None else not ask.allow_side_effects
    target.changed = target.changed or (bool(call) and not pure)
    answer = await _run(target, call, ask, pure)
    if "exceptionDetails" in answer:
        raise _failure(ask, answer["exceptionDetails"], pure)
    result = answer["result"]
    body = {"result": values.render(result), "type": values.type_name(result)}
    return body | reference(target, result, ask.expression if re.fullmatch(r"[\w$.\[\]]+", ask.expression) else "")


def _place(session: Session, ask: Evaluate) -> tuple[Target, str]:
    """The frame asked for; without one the global scope of the main program."""
    if ask.frame_id is None:
        return session.main(), ""
    target, frame = session.frame(ask.frame_id)
    if frame.call is None:
        raise AdapterError("an awaited caller has no variables any more", "take a frame above the first `async` label")
    return target, frame.call["callFrameId"]


def _failure(ask: Evaluate, details: Json, pure: bool) -> AdapterError | TimeLimit:
    words = values.failure(details)
    if pure and words.startswith(SIDE_EFFECT):
        return AdapterError(f"`{ask.expression}` would change the program", "allow side effects to run it all the same")
    if "exception" not in details or "Execution was terminated" in str(details.get("text", "")):
        return TimeLimit(
            f"`{ask.expression}` ran longer than {ask.timeout} ms and was stopped", "give it more `timeout`"
        )
    return AdapterError(words)


async def _run(target: Target, call: str, ask: Evaluate, pure: bool) -> Json:
    text = ask.expression.strip()
    if text.startswith("{"):  # an object, rather than a block
        answer = await _one(target, call, f"({text}\n)", ask, pure)
        if not _is_syntax(answer):
            return answer
    if re.search(r"\bawait\b", text) and call:
        return await _await(target, call, ask, pure)
    return await _one(target, call, text, ask, pure)


def _is_syntax(answer: Json) -> bool:
    thrown = (answer.get("exceptionDetails") or {}).get("exception") or {}
    return thrown.get("className") == "SyntaxError"


async def _one(target: Target, call: str, text: str, ask: Evaluate, pure: bool) -> Json:
    common: Json = {"objectGroup": "evaluate", "generatePreview": True, "throwOnSideEffect": pure, "silent": True}
    seconds = ask.timeout / 1000 + 5
    try:
        if call:
            return await target.inspector.ask(
                "Debugger.evaluateOnCallFrame",
                callFrameId=call,
                expression=text,
                includeCommandLineAPI=False,
                timeout=ask.timeout,
                seconds=seconds,
                **common,
            )
        return await target.inspector.ask(
            "Runtime.evaluate",
            expression=text,
            replMode=True,
            includeCommandLineAPI=True,
            awaitPromise=target.stop is None and "await" in text,
            timeout=ask.timeout,
            seconds=seconds,
            **common,
        )
    except AdapterError as failed:
        if "terminated" in str(failed) or "did not answer" in str(failed):
            raise TimeLimit(f"`{ask.expression}` ran longer than {ask.timeout} ms and was stopped") from None
        raise


async def _await(target: Target, call: str, ask: Evaluate, pure: bool) -> Json:
    """`await` in a standing program: run its microtasks; what needs the event loop cannot come.

    The outcome is wrapped, so that a failure never counts as the program's own unhandled rejection.
    """
    for body in (f"[(await 0, {ask.expression}\n)]", f"(await (async()=>{{{ask.expression}\n}})(), [])"):
        wrapped = f"(async()=>{{try{{return {body}}}catch(e){{return {{e}}}}}})()"
        started = await _one(target, call, wrapped, ask, pure)
        if not _is_syntax(started):
            break
    if "exceptionDetails" in started:
        return started
    if not pure:
        await _one(target, call, "globalThis.process?._tickCallback?.()", ask, pure)
    inner = await _own(target, started["result"]["objectId"], "internalProperties")
    if inner.get("[[PromiseState]]", {}).get("value") != "fulfilled":
        raise AdapterError(
            f"`{ask.expression}` is still pending: nothing asynchronous completes while the program stands",
            "assign the promise to a global, continue, and look at it later",
        )
    outcome = await _own(target, inner["[[PromiseResult]]"]["objectId"], "result")
    if "e" in outcome:
        return {"result": {"type": "undefined"}, "exceptionDetails": {"exception": outcome["e"], "text": "rejected"}}
    return {"result": outcome.get("0", {"type": "undefined"})}


async def _own(target: Target, object_id: str, kind: str) -> Json:
    listed = await target.inspector.ask(
        "Runtime.getProperties", objectId=object_id, ownProperties=True, generatePreview=True
    )
    return {p["name"]: p.get("value") or {} for p in listed.get(kind, [])}
