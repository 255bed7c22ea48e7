"""Variables: what an object holds, page by page, and nothing of the program run for it.

Arrays, maps and sets are cut in the program itself (`SLICE`, `ENTRIES`): V8's own listing sends all
100,000 elements. A getter is shown as one, and runs only when its reference is asked for.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.core.errors import AdapterError
from dapwright.engines.node import values
from dapwright.engines.node.probes import ENTRIES, NAMED, SLICE
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Held, Json, Target

KINDS = {"array": "array", "typedarray": "array", "map": "map", "set": "set", "proxy": "proxy"}
ALL = 1 << 31
GROUP = "looking"
LOST = "dapwright: not visible here"


class Variables(msgspec.Struct, rename="camel"):
    variables_reference: int
    filter: str | None = None
    start: int | None = None
    count: int | None = None


@REQUESTS.on("variables", Variables)
async def variables(session: Session, ask: Variables) -> Mapping[str, Any]:
    """The children of a reference: all, or a page of them."""
    target, held = session.held(ask.variables_reference)
    start, count = ask.start or 0, ask.count or ALL
    if held.kind == "scope":
        listed = await _scope(target, held)
        return {"variables": listed[start : start + count]}
    if held.kind == "getter":
        return {"variables": [await _run_getter(target, held)]}
    listed = []
    if held.count and ask.filter != "named":
        listed += await _indexed(target, held, start, min(count, max(held.count - start, 0)))
        start, count = max(0, start - held.count), count - len(listed)
    if ask.filter != "indexed" and count > 0:
        rest = await _named(target, held)
        listed += rest[start : start + count]
    return {"variables": listed}


async def _scope(target: Target, held: Held) -> list[Json]:
    """A scope, or several merged: an inner name hides an outer one."""
    listed = {name: show(target, name, value, "" if name != "this" else "this") for name, value in held.extra}
    for _, object_id in held.parts:
        for own in (await properties(target, object_id))["result"]:
            name = own["name"]
            if name in listed or name in held.hidden or (held.only and name not in held.only):
                continue
            listed[name] = _property(target, held, own, name)
    if target.changed and held.frame is not None:
        await _refresh(target, held, listed)
    return sorted(listed.values(), key=lambda v: v["name"] in ("this", "Return value"))


async def _refresh(target: Target, held: Held, listed: dict[str, Json]) -> None:
    """V8 copied the scope when the program stopped: ask the frame what its variables are by now."""
    assert held.frame is not None
    names = [n for n in listed if re.fullmatch(r"[A-Za-z_$][\w$]*", n) and n != "this"]
    read = ",".join(f"_{n}:(()=>{{try{{return {n}}}catch{{return '{LOST}'}}}})()" for n in names)
    answer = await target.inspector.ask(
        "Debugger.evaluateOnCallFrame",
        callFrameId=target.frames.get(held.frame).call_id,
        expression=f"({{__proto__:null,{read}}})",
        objectGroup=GROUP,
        silent=True,
    )
    if "objectId" not in answer.get("result", {}):
        return
    for own in (await properties(target, answer["result"]["objectId"]))["result"]:
        name, value = own["name"][1:], own.get("value") or {}
        if value.get("value") != LOST:
            listed[name] = show(target, name, value, name)


async def properties(target: Target, object_id: str, *, preview: bool = True) -> Json:
    """Return V8's listing of an object's own properties."""
    return await target.inspector.ask(
        "Runtime.getProperties", objectId=object_id, ownProperties=True, generatePreview=preview, seconds=30
    )


async def _call(target: Target, object_id: str, function: str, *arguments: int) -> str:
    answer = await target.inspector.ask(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration=function,
        arguments=[{"value": a} for a in arguments],
        objectGroup=GROUP,
        seconds=30,
    )
    if "exceptionDetails" in answer:
        raise AdapterError(values.failure(answer["exceptionDetails"]))
    found: str = answer["result"]["objectId"]
    return found


async def _indexed(target: Target, held: Held, start: int, count: int) -> list[Json]:
    if count <= 0:
        return []
    if held.kind in ("map", "set"):
        return await _entries(target, held, start, count)
    part = await _call(target, held.object_id, SLICE, start, count)
    listed = (await properties(target, part))["result"]
    return [_property(target, held, own, own["name"][1:]) for own in listed if own["name"].startswith("_")]


async def _entries(target: Target, held: Held, start: int, count: int) -> list[Json]:
    """A map's entries are named by their keys, a set's by their place."""
    flat = await _call(target, held.object_id, ENTRIES, start, count)
    items = {o["name"]: o.get("value") or {} for o in (await properties(target, flat))["result"]}
    listed = []
    for i in range(min(count, len(items) // 2)):
        key, value = items[str(2 * i)], items[str(2 * i + 1)]
        if held.kind == "set":
            listed.append(show(target, str(start + i), value, ""))
            continue
        name = values.render(key)
        simple = key.get("type") in ("string", "number", "boolean", "bigint")
        listed.append(show(target, name, value, f"{held.expression}.get({name})" if simple and held.expression else ""))
    return listed


async def _named(target: Target, held: Held) -> list[Json]:
    if held.kind == "proxy":
        found = await target.inspector.ask("Runtime.getProperties", objectId=held.object_id, ownProperties=True)
        return [show(target, p["name"], p.get("value") or {}, "") for p in found.get("internalProperties", [])]
    indexed = bool(held.count) and held.kind == "array"
    part = await _call(target, held.object_id, NAMED) if indexed else held.object_id
    found = await properties(target, part)
    listed = [_property(target, held, own, own["name"]) for own in found["result"]]
    for private in found.get("privateProperties", []):
        listed.append(_property(target, held, private, private["name"]))
    hidden = ("[[Prototype]]", "[[Entries]]", "[[Scopes]]", "[[FunctionLocation]]")
    for inner in found.get("internalProperties", []):
        if inner["name"] not in hidden and "value" in inner and not indexed:
            listed.append(show(target, inner["name"], inner["value"], "", hint={"visibility": "internal"}))
    return [v for v in listed if v["name"] != "__proto__"]


def _property(target: Target, held: Held, own: Json, name: str) -> Json:
    expression = name if held.kind == "scope" else values.member(held.expression, name)
    if own.get("symbol"):
        expression = ""
    if "value" in own:
        return show(target, name, own["value"], expression)
    if (own.get("get") or {}).get("type") == "function":
        getter = Held(held.object_id, expression, "getter")
        getter.extra = [(name, own["get"])]
        reference = target.objects.add(getter)
        hint = {"lazy": True, "kind": "property"}
        return {"name": name, "value": "(...)", "variablesReference": reference, "presentationHint": hint} | (
            {"evaluateName": expression} if expression else {}
        )
    value = "<setter only>" if "set" in own else "<not initialized>"
    return {"name": name, "value": value, "variablesReference": 0}


def show(target: Target, name: str, value: Json, expression: str, *, hint: Json | None = None) -> Json:
    """Return a value as a DAP variable, with a reference where it has children."""
    body: Json = {"name": name, "value": values.render(value), "type": values.type_name(value)}
    body |= reference(target, value, expression)
    if expression:
        body["evaluateName"] = expression
    if hint:
        body["presentationHint"] = hint
    return body


def reference(target: Target, value: Json, expression: str) -> Json:
    """Return `variablesReference`, and the counts of what has elements."""
    if "objectId" not in value or value.get("type") == "symbol":
        return {"variablesReference": 0}
    sub = value.get("subtype")
    kind = KINDS.get(sub or "", "object")
    count = values.indexed_count(value) or 0
    number = target.objects.add(Held(value["objectId"], expression, kind, count))
    return {"variablesReference": number} | ({"indexedVariables": count, "namedVariables": 1} if count else {})


async def _run_getter(target: Target, held: Held) -> Json:
    """Somebody asked for it: run the getter, on the object it was found on."""
    name, get = held.extra[0]
    answer = await target.inspector.ask(
        "Runtime.callFunctionOn",
        objectId=held.object_id,
        functionDeclaration="function(f){return f.call(this)}",
        arguments=[{"objectId": get["objectId"]}],
        generatePreview=True,
        objectGroup=GROUP,
        seconds=30,
    )
    if "exceptionDetails" in answer:
        return {"name": name, "value": f"<{values.failure(answer['exceptionDetails'])}>", "variablesReference": 0}
    return show(target, name, answer["result"], held.expression)
