"""Stacks, variables, expressions."""

import re
import xml.etree.ElementTree as ET
from typing import Any

from dapwright.core.errors import AdapterError, NotSupported
from dapwright.engines.dapserver import Answer
from dapwright.engines.php import values
from dapwright.engines.php.dbgp import NAMES, Refused, quoted
from dapwright.engines.php.session import PAGE, REQUESTS, Arguments, Held, Session, Thread

CONTEXTS = ((0, "Locals", "locals", False), (1, "Superglobals", "globals", True), (2, "Constants", "globals", True))
VARIABLE = re.compile(r"\$\w+")
PATH = re.compile(r"\$\w+(->\w+|\[('[^']*'|\"[^\"]*\"|\d+)\])*")


@REQUESTS.on("stackTrace", dict, capabilities=("supportsDelayedStackTraceLoading",))
async def stack_trace(session: Session, ask: Arguments) -> Answer:
    """The frames of a request that stands."""
    thread = session.thread(int(ask["threadId"]))
    if thread.running:
        raise NotSupported("this PHP request is running", "wait until it stops")
    told = await thread.connection.send("stack_get")
    frames = [_frame(session, thread, one) for one in told.findall("d:stack", NAMES)]
    start, levels = int(ask.get("startFrame") or 0), int(ask.get("levels") or 0) or len(frames)
    return {"stackFrames": frames[start : start + levels], "totalFrames": len(frames)}


def _frame(session: Session, thread: Thread, told: ET.Element) -> dict[str, Any]:
    level = int(told.get("level", "0"))
    file = session.local(told.get("filename", ""))
    return {
        "id": session.hold(Held(thread, thread.stop, level)),
        "name": told.get("where", "").replace("->", "::"),
        "line": int(told.get("lineno", "0")),
        "column": 0,
        "source": {"name": file.rsplit("/", 1)[-1], "path": file},
    }


@REQUESTS.on("scopes", dict)
async def scopes(session: Session, ask: Arguments) -> Answer:
    """Locals, superglobals, constants."""
    held = session.held_at(int(ask["frameId"]))
    return {
        "scopes": [
            {
                "name": name,
                "variablesReference": session.hold(Held(held.thread, held.stop, held.level, context)),
                "presentationHint": hint,
                "expensive": expensive,
            }
            for context, name, hint, expensive in CONTEXTS
        ]
    }


@REQUESTS.on("variables", dict, capabilities=("supportsVariablePaging",))
async def variables(session: Session, ask: Arguments) -> Answer:
    """The variables of a scope, or the children of a value, by pages."""
    held = session.held_at(int(ask["variablesReference"]))
    if not held.name and held.kept is None:
        words = ("-d", str(held.level), "-c", str(held.context))
        told = await held.thread.connection.send("context_get", *words)
        found = told.findall("d:property", NAMES)
    else:
        found = await _children(held, int(ask.get("start") or 0), int(ask.get("count") or 0))
        return {"variables": [_variable(session, held, one) for one in found]}
    start, number = int(ask.get("start") or 0), int(ask.get("count") or 0) or len(found)
    return {"variables": [_variable(session, held, one) for one in found[start : start + number]]}


async def _children(held: Held, start: int, number: int) -> list[ET.Element]:
    """A value's children from `start` on, `number` of them, 0 for all; Xdebug gives them by pages."""
    if not held.name:
        kept = held.kept or ()
        return list(kept[start : start + number] if number else kept[start:])
    found: list[ET.Element] = []
    page = start // PAGE
    skipped = start % PAGE
    while True:
        words = ("-d", str(held.level), "-c", str(held.context), "-n", quoted(held.name), "-p", str(page))
        told = (await held.thread.connection.send("property_get", *words)).find("d:property", NAMES)
        got = values.children(told) if told is not None else []
        found += got
        page += 1
        if len(got) < PAGE or (number and len(found) >= skipped + number):
            return found[skipped : skipped + number] if number else found[skipped:]


def _variable(session: Session, held: Held, known: ET.Element) -> dict[str, Any]:
    name = values.full_name(known)
    shown = values.name_of(known)
    at_top = not held.name and held.kept is None
    return {
        "name": (shown if shown.startswith(("$", "::")) or held.context == 2 else f"${shown}") if at_top else shown,
        "evaluateName": name,
        **_value(session, held, known, name, "value"),
    }


def _value(session: Session, held: Held, known: ET.Element, name: str, key: str) -> dict[str, Any]:
    told: dict[str, Any] = {key: values.show(known), "type": values.type_of(known), "variablesReference": 0}
    if length := values.length(known):
        kept = None if name else tuple(values.children(known))
        inner = Held(held.thread, held.stop, held.level, held.context, name, kept)
        told["variablesReference"] = session.hold(inner)
        told["indexedVariables" if known.get("type") == "array" else "namedVariables"] = length
    return told


def _place(session: Session, ask: Arguments) -> Held:
    if ask.get("frameId") is not None:
        return session.held_at(int(ask["frameId"]))
    standing = next((thread for thread in session.threads.values() if not thread.running), None)
    if standing is None:
        raise NotSupported("no PHP request stands still", "stop at a breakpoint first")
    return Held(standing, standing.stop, 0)


@REQUESTS.on("evaluate", dict, capabilities=("supportsEvaluateForHovers",))
async def evaluate(session: Session, ask: Arguments) -> Answer:
    """The value of an expression; an assignment changes the program."""
    held = _place(session, ask)
    expression = str(ask["expression"]).strip().rstrip(";")
    if PATH.fullmatch(expression):
        try:
            words = ("-d", str(held.level), "-c", "0", "-n", quoted(expression))
            told = (await held.thread.connection.send("property_get", *words)).find("d:property", NAMES)
            if told is not None:
                return _value(session, held, told, values.full_name(told) or expression, "result")
        except Refused:
            pass  # eval tells better what is wrong with it
    known = await _eval(held, expression)
    if known is None:
        return {"result": "null", "variablesReference": 0}
    return _value(session, held, known, "", "result")


async def _eval(held: Held, expression: str) -> ET.Element | None:
    try:
        told = await held.thread.connection.send("eval", "-d", str(held.level), data=expression)
    except Refused as refused:
        raise AdapterError(await _why(held, expression, str(refused))) from None
    return told.find("d:property", NAMES)


async def _why(held: Held, expression: str, otherwise: str) -> str:
    """Xdebug's error 206 has no text: the same again, inside a `try`, tells what was thrown."""
    told = await held.thread.connection.send("context_get", "-d", str(held.level))
    known = {values.full_name(one) for one in told.findall("d:property", NAMES)}
    used = sorted(name for name in set(VARIABLE.findall(expression)) & known if name != "$this")
    uses = f" use ({', '.join(used)})" if used else ""
    caught = "catch (\\Throwable $dapwright) { return get_class($dapwright) . ': ' . $dapwright->getMessage(); }"
    wrapped = f"(function(){uses} {{ try {{ return [{expression}] ? '' : ''; }} {caught} }})()"
    try:
        again = await held.thread.connection.send("eval", "-d", str(held.level), data=wrapped)
        found = again.find("d:property", NAMES)
        text = values.content(found) if found is not None else ""
    except Refused:
        text = ""
    return text or f"`{expression}` is no expression of PHP ({otherwise})"


@REQUESTS.on("setVariable", dict, capabilities=("supportsSetVariable",))
async def set_variable(session: Session, ask: Arguments) -> Answer:
    """Give a variable the value of an expression; what it is then."""
    held = session.held_at(int(ask["variablesReference"]))
    name = str(ask["name"])
    if held.name:
        children = await _children(held, 0, 0)
        name = next((values.full_name(one) for one in children if values.name_of(one) == name), name)
    return await _assign(session, held, name, str(ask["value"]))


@REQUESTS.on("setExpression", dict, capabilities=("supportsSetExpression",))
async def set_expression(session: Session, ask: Arguments) -> Answer:
    """Assign to an expression."""
    return await _assign(session, _place(session, ask), str(ask["expression"]), str(ask["value"]))


async def _assign(session: Session, held: Held, name: str, value: str) -> Answer:
    await _eval(held, f"{name} = {value}")
    words = ("-d", str(held.level), "-c", "0", "-n", quoted(name))
    told = (await held.thread.connection.send("property_get", *words)).find("d:property", NAMES)
    if told is None:
        raise AdapterError(f"`{name}` cannot be read back")
    return _value(session, held, told, name, "value")
