"""Values at a place of a trace as text: one expression of ours reads them, and no getter of the program's runs."""

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

from dapwright.engines.node import values
from dapwright.engines.node.probes import SHOW
from dapwright.engines.node.target import Json, Target

LONGEST = 400
"""Characters of one value."""
RECEIVER = """(() => { try {
  const own = Object.getOwnPropertyDescriptors(this), told = {};
  if (this === globalThis || Array.isArray(this)) return null;
  for (const k of Object.keys(own).slice(0, 12)) if ('value' in own[k]) told[k] = show(() => own[k].value);
  return told;
} catch { return null } })()"""


def read(target: Target, frame: str, names: list[str]) -> "asyncio.Future[Json]":
    """Ask for variables of a frame and for the own properties of its `this`; see `answered`."""
    told = ", ".join(f"{json.dumps(name)}: show(() => {name})" for name in names)
    quoted = f"typeof v === 'string' ? JSON.stringify(v) : {SHOW}(() => v)"
    safe = (
        f"f => {{ try {{ return (v => {quoted})(f()).slice(0, {LONGEST}) }} catch (e) {{ return '{{' + e + '}}' }} }}"
    )
    return target.inspector.start(
        "Debugger.evaluateOnCallFrame",
        callFrameId=frame,
        expression=f"(show => ({{arguments: {{{told}}}, receiver: {RECEIVER}}}))({safe})",
        returnByValue=True,
        silent=True,
    )


async def answered(asked: "asyncio.Future[Json]") -> Any:
    """What was read: `{arguments, receiver}` as text, None where it could not be."""
    answer = await asked
    return None if "exceptionDetails" in answer else answer["result"].get("value")


def shown(target: Target, returned: Json | None) -> Awaitable[str]:
    """A return value as text: asked for now, while the program stands, answered later."""
    if returned is None or "objectId" not in returned:
        return _plain(returned)
    if returned.get("subtype") == "promise":
        return _promise(
            target.inspector.start(
                "Runtime.getProperties", objectId=returned["objectId"], ownProperties=True, generatePreview=True
            )
        )
    return _text(
        target.inspector.start(
            "Runtime.callFunctionOn",
            objectId=returned["objectId"],
            functionDeclaration=f"function () {{ return {SHOW}(() => this).slice(0, {LONGEST}) }}",
            returnByValue=True,
            silent=True,
        )
    )


async def _plain(returned: Json | None) -> str:
    if returned is None:
        return "<unknown>"
    if returned.get("type") == "string":
        return json.dumps(returned.get("value", ""), ensure_ascii=False)[:LONGEST]
    return values.render(returned)[:LONGEST]


async def _text(asked: "asyncio.Future[Json]") -> str:
    return str((await asked)["result"].get("value", "<unknown>"))


async def _promise(held: "asyncio.Future[Json]") -> str:
    """A promise as Node writes it: `Promise { 3 }`, `Promise { <pending> }`."""
    inner = {each["name"]: each.get("value") or {} for each in (await held).get("internalProperties") or []}
    state = str(inner.get("[[PromiseState]]", {}).get("value", ""))
    if state == "pending":
        return "Promise { <pending> }"
    shown = values.render(inner.get("[[PromiseResult]]", {}))[:LONGEST]
    return f"Promise {{ {'<rejected> ' if state == 'rejected' else ''}{shown} }}"
