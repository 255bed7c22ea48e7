"""Requests that look at what stands still."""

import asyncio

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.coroutines import coroutine_of
from dapwright.engines.jvm.exceptions import is_foreign
from dapwright.engines.jvm.expressions_names import Scope
from dapwright.engines.jvm.handles import FrameHandle, ObjectHandle, ScopeHandle
from dapwright.engines.jvm.mangling import CAPTURED, RESUMES, is_forwarder, plain_function, plain_variable
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.signatures import LAMBDA, dotted, name_of, package_of
from dapwright.engines.jvm.sourcepaths import find_source
from dapwright.engines.jvm.threads import JavaFrame
from dapwright.engines.jvm.types import Method, Slot

VIRTUAL = {"attributes": ["readOnly"], "kind": "virtual"}
LEVELS = 20
"""Frames told where nobody said how many: 0 means all."""


@REQUESTS.on("threads", dict)
async def threads(session: Session, _: Body) -> Body:
    """Every thread with its name and state; virtual ones where they stand at a stop."""
    jvm = session.live
    found = list(dict.fromkeys([*await jvm.machine.threads(), *jvm.stops.held, *session.last_stop]))
    told = await asyncio.gather(*(_thread(session, thread) for thread in found if thread))
    return {"threads": [one for one in told if one]}


async def _thread(session: Session, thread: int) -> Body | None:
    machine = session.live.machine
    try:
        name = await machine.thread_name(thread)
        state, suspended = await machine.thread_state(thread)
    except DapwrightError:
        return None
    if state == "ended":
        return None
    number = session.thread_number(thread)
    told = {"id": number, "name": name or f"virtual thread {number}", "state": state}
    return told | ({"suspended": True} if suspended else {})


@REQUESTS.on("stackTrace", dict, capabilities=("supportsDelayedStackTraceLoading",))
async def stack_trace(session: Session, arguments: Body) -> Body:
    """The frames of a thread that stands, innermost first."""
    thread = session.standing(int(arguments.get("threadId") or 0))
    frames = await session.live.machine.frames(thread)
    start, levels = int(arguments.get("startFrame") or 0), int(arguments.get("levels") or 0)
    wanted = frames[start : start + levels if levels else None]
    told = [await _frame(session, thread, start + at, frame) for at, frame in enumerate(wanted)]
    return {"stackFrames": told, "totalFrames": len(frames)}


async def _frame(session: Session, thread: int, depth: int, frame: JavaFrame) -> Body:
    types, place = session.live.machine.types, frame.location
    name = await types.name(place.type)
    method = await types.method(place.type, place.method)
    number = session.frames.give(thread, FrameHandle(thread, depth))
    told: Body = {"id": number, "line": 0, "column": 0}
    if method is None:
        return told | {"name": f"{dotted(name)}.<obsolete>", "presentationHint": "label"}
    line = await types.line_of(place)
    file = await types.source_file(place.type)
    mapped = (await types.source_map(place.type)).place(line)
    if mapped:
        file, line = mapped[0].rpartition("/")[2] or file, mapped[1]
    told |= {"name": function_name(name, method, file), "line": line, "column": 1 if line else 0}
    unwritten = not line and (method.flags & codes.SYNTHETIC or method.name == RESUMES)
    made_up = LAMBDA in name or is_forwarder(method.name, file) or unwritten
    if is_foreign(name) or method.flags & codes.NATIVE or made_up:
        told["presentationHint"] = "subtle"
    if file:
        told["source"] = find_source(session.sources, package_of(name), file)
    return told


def function_name(class_name: str, method: Method, file: str = "") -> str:
    """`Ledger.balance`, `Ledger.Entry.<init>`; the package is left out, as people speak."""
    owner = dotted(class_name)
    package = package_of(class_name)
    return plain_function(class_name, owner[len(package) + 1 if package else 0 :], method.name, file)


@REQUESTS.on("scopes", dict)
async def scopes(session: Session, arguments: Body) -> Body:
    """The locals of a frame, and the static fields of its class."""
    handle = session.frames.take(int(arguments.get("frameId") or 0))
    scope = Scope(session.live.machine, handle)
    place = (await scope.frame()).location
    give = session.references.give
    told: list[Body] = [
        {
            "name": "Local",
            "presentationHint": "locals",
            "variablesReference": give(handle.thread, ScopeHandle(handle, False)),
            "expensive": False,
        }
    ]
    if any(field.is_static for field in await session.live.machine.types.fields(place.type)):
        reference = give(handle.thread, ScopeHandle(handle, True))
        told.append({"name": "Static", "variablesReference": reference, "expensive": False})
    return {"scopes": told}


@REQUESTS.on("variables", dict, capabilities=("supportsVariableType",))
async def variables(session: Session, arguments: Body) -> Body:
    """What a scope or an object holds, by page."""
    handle = session.references.take(int(arguments.get("variablesReference") or 0))
    start, count = int(arguments.get("start") or 0), int(arguments.get("count") or 0)
    if isinstance(handle, ScopeHandle):
        told = await (_statics(session, handle) if handle.static else _locals(session, handle))
        return {"variables": told[start : start + count if count else None]}
    return {"variables": await _children(session, handle, start, count, str(arguments.get("filter") or ""))}


async def _locals(session: Session, handle: ScopeHandle) -> list[Body]:
    machine, scope = session.live.machine, Scope(session.live.machine, handle.frame)
    slots = await scope.slots()
    told = []
    this = await scope.this()
    if this.value:
        told.append(await variable(session, handle.frame.thread, "this", this, "this"))
    if slots is None:
        note = await scope.nameless()
        told.append({"name": "(locals)", "value": note, "variablesReference": 0, "presentationHint": VIRTUAL})
        return told
    shown = [slot for slot in slots if slot.name != "this" and not hidden_local(slot.name)]
    values = await machine.frame_values(handle.frame.thread, await scope.frame(), shown)
    for slot, value in zip(shown, values, strict=True):
        told.append(await _local(session, handle.frame.thread, slot, value))
    if name := await coroutine_of(machine, handle.frame.thread, await scope.frame(), this, slots):
        told.append({"name": "(coroutine)", "value": name, "variablesReference": 0, "presentationHint": VIRTUAL})
    return told


async def _local(session: Session, thread: int, slot: Slot, value: Value) -> Body:
    """A local under the name that was written; one that a closure changes is told by its value."""
    held = CAPTURED.get(name_of(slot.signature))
    if held and value.value:
        inner = await session.live.machine.detail(value.value, held)
        return await variable(session, thread, plain_variable(plain_local(slot.name)), inner, slot.name)
    return await variable(session, thread, plain_local(slot.name), value, slot.name)


def hidden_local(name: str) -> bool:
    """Tell whether Kotlin's compiler made the local for itself."""
    return name.startswith(("$i$f$", "$i$a$", "$completion", "$continuation", "$result"))


def plain_local(name: str) -> str:
    """A local's name as written: Kotlin marks what it inlined (`sum$iv`)."""
    while name.endswith("$iv"):
        name = name[:-3]
    if name.startswith("$this$"):
        return "this@" + name[6:].partition("_u24")[0]
    return name[1:] if name.startswith("$") and name[1:].isidentifier() else name


async def _statics(session: Session, handle: ScopeHandle) -> list[Body]:
    machine = session.live.machine
    place = (await Scope(machine, handle.frame).frame()).location
    fields = [field for field in await machine.types.fields(place.type) if field.is_static]
    values = await machine.read_statics(place.type, fields)
    return [
        await variable(session, handle.frame.thread, field.name, value, field.name)
        for field, value in zip(fields, values, strict=True)
        if not field.flags & codes.SYNTHETIC
    ]


async def _children(session: Session, handle: ObjectHandle, start: int, count: int, only: str) -> list[Body]:
    values = session.live.values
    shown = await values.show(handle.value, depth=0)
    if (only == "named" and shown.indexed) or (only == "indexed" and not shown.indexed):
        return []
    told = []
    for child in await values.children(handle.value, start, count):
        path = handle.path + child.step if handle.path and child.step else ""
        told.append(await variable(session, handle.thread, child.name, child.value, path))
    return told


async def variable(session: Session, thread: int, name: str, value: Value, path: str) -> Body:
    """A variable as the protocol tells it; what has parts can be opened."""
    shown = await session.live.values.show(value)
    told: Body = {"name": name, "value": shown.text, "variablesReference": 0}
    told |= {"type": shown.type} if shown.type else {}
    told |= {"evaluateName": path} if path else {}
    if shown.opens:
        told["variablesReference"] = session.references.give(thread, ObjectHandle(thread, value, path))
        told |= {"indexedVariables": shown.indexed} if shown.indexed else {}
        told |= {"namedVariables": shown.named} if shown.named > 0 else {}
    return told


def frame_of(session: Session, arguments: Body) -> FrameHandle:
    """The frame that a request names, else the top of the only thread told to stand."""
    if arguments.get("frameId"):
        return session.frames.take(int(arguments["frameId"]))
    jvm = session.live
    thread = jvm.stops.current.thread if jvm.stops.current else next(iter(jvm.stops.held), 0)
    if not thread:
        raise UsageError("the program is running", "pause it first: an expression needs a frame")
    return FrameHandle(thread, 0)
