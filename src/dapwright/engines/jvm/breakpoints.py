"""Requests that set breakpoints of every kind."""

from typing import Any

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.jvm.codes import Policy
from dapwright.engines.jvm.exceptions import FILTERS, read_wanted
from dapwright.engines.jvm.expressions import parse
from dapwright.engines.jvm.expressions_names import FieldOf
from dapwright.engines.jvm.expressions_tree import Member, Name, NeedsCompiler
from dapwright.engines.jvm.handles import ObjectHandle
from dapwright.engines.jvm.hits import read_hits
from dapwright.engines.jvm.places import means, read_address, read_function
from dapwright.engines.jvm.planted import Breakpoint
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.signatures import name_of, package_of
from dapwright.engines.jvm.template import read_template
from dapwright.engines.jvm.watching import Watch, access_of

POLICIES = {"": Policy.ALL, "all": Policy.ALL, "thread": Policy.THREAD}


def policy_of(arguments: Body) -> Policy:
    """The suspend policy that a breakpoint or a step asks for.

    Raises:
        UsageError: there is no such one.
    """
    name = arguments.get("suspendPolicy") or ""
    if name not in POLICIES:
        raise UsageError(f"`{name}` is no suspend policy", "take `all` or `thread`")
    return POLICIES[name]


def _read(wanted: Body, **where: Any) -> Breakpoint:
    """A breakpoint as wanted; what is wrong with it is its refusal."""
    one = Breakpoint(
        0,
        condition=(wanted.get("condition") or "").strip(),
        hit_words=(wanted.get("hitCondition") or "").strip(),
        log=wanted.get("logMessage") or "",
        **where,
    )
    try:
        one.policy = policy_of(wanted)
        one.counts = read_hits(one.hit_words) if one.hit_words else None
        read_template(one.log)
        if one.condition:
            parse(one.condition)
    except NeedsCompiler:
        pass
    except UsageError as wrong:
        one.refusal = str(wrong)
    return one


@REQUESTS.on(
    "setBreakpoints",
    dict,
    capabilities=("supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints"),
)
async def set_breakpoints(session: Session, arguments: Body) -> Body:
    """Make these the breakpoints of a source file, or of a class by its name."""
    path = (arguments.get("source") or {}).get("path") or (arguments.get("source") or {}).get("name") or ""
    if not path:
        raise UsageError("the breakpoints name no source", "give `source.path`: a file, or a class name")
    address = read_address(path)
    if address.file:
        session.sources.add(files=[path])
    asked = arguments.get("breakpoints")
    if asked is None:
        asked = [{"line": line} for line in arguments.get("lines") or ()]
    wanted = [_read(one, address=address, line=int(one.get("line") or 0)) for one in asked]
    return {"breakpoints": [one.body() for one in await session.plant.want_lines(path, wanted)]}


@REQUESTS.on("setFunctionBreakpoints", dict, capabilities=("supportsFunctionBreakpoints",))
async def set_function_breakpoints(session: Session, arguments: Body) -> Body:
    """Make these the function breakpoints: `balance`, `Ledger.balance`, `com.x.Ledger.<init>`."""
    asked = arguments.get("breakpoints") or ()
    wanted = [_read(one, function=read_function(str(one.get("name") or ""))) for one in asked]
    for one in wanted:
        if one.function is None or not one.function.name:
            one.refusal = one.refusal or "a function breakpoint needs a name"
    return {"breakpoints": [one.body() for one in await session.plant.want_functions(wanted)]}


@REQUESTS.on(
    "setExceptionBreakpoints",
    dict,
    capabilities={
        "exceptionBreakpointFilters": FILTERS,
        "supportsExceptionFilterOptions": True,
        "supportsExceptionOptions": True,
    },
)
async def set_exception_breakpoints(session: Session, arguments: Body) -> Body:
    """Choose the exceptions that stop; class names may stand in a filter's condition or in options."""
    session.wanted_exceptions = read_wanted(arguments)
    pending = await session.jvm.exceptions.want(session.wanted_exceptions) if session.jvm else []
    count = sum(len(arguments.get(key) or ()) for key in ("filters", "filterOptions", "exceptionOptions"))
    message = f"not loaded yet: {', '.join(pending)}" if pending else ""
    return {"breakpoints": [{"verified": True} | ({"message": message} if message else {})] * count}


@REQUESTS.on("breakpointLocations", dict, capabilities=("supportsBreakpointLocationsRequest",))
async def breakpoint_locations(session: Session, arguments: Body) -> Body:
    """The lines that hold code, as far as the classes of the source are loaded."""
    address = read_address((arguments.get("source") or {}).get("path") or "")
    first = int(arguments.get("line") or 0)
    last = int(arguments.get("endLine") or first)
    types, found, loaded = session.live.machine.types, set[int](), False
    package = address.source.package if address.source else None
    for one in await session.live.machine.all_classes():
        name = name_of(one.signature)
        if package is not None and package_of(name) != package:
            continue
        if not address.patterns or not await means(address, types, one.id):
            continue
        loaded = True
        chart = await types.source_map(one.id)
        for _, lines in await types.all_lines(one.id):
            for _, line in lines.entries:
                place = chart.place(line) if chart.ranges else None
                found.add(place[1] if place else line)
    if not loaded:
        raise UsageError(f"no class of `{address.path}` is loaded yet", "ask again at a stop")
    return {"breakpoints": [{"line": line} for line in sorted(found) if first <= line <= last]}


@REQUESTS.on("dataBreakpointInfo", dict, capabilities=("supportsDataBreakpoints",))
async def data_breakpoint_info(session: Session, arguments: Body) -> Body:
    """What can be watched under a name: a field of an object, of `this`, of a class; never a local."""
    name = str(arguments.get("name") or "")
    try:
        place = await _watchable(session, name, arguments)
    except NeedsCompiler:
        place = None
    if isinstance(place, FieldOf):
        data = await session.live.watches.name(name, place.field, place.object)
        return {"dataId": data, "description": name, "accessTypes": ["read", "write", "readWrite"], "canPersist": False}
    if isinstance(place, str):
        return {"dataId": None, "description": place}
    return {"dataId": None, "description": f"`{name}` is no field: the JVM watches fields, not locals or array items"}


async def _watchable(session: Session, name: str, arguments: Body) -> object:
    jvm = session.live
    reference = arguments.get("variablesReference")
    if reference:
        held = session.references.take(int(reference))
        if isinstance(held, ObjectHandle):
            for field in await jvm.values.instance_fields(await jvm.machine.type_of(held.value.value)):
                if field.name == name:
                    return FieldOf(held.value.value, field)
            return f"there is no field `{name}` in it"
        return await jvm.evaluation.place(held.frame, name)
    node = parse(name)
    if not isinstance(node, (Name, Member)):
        return None
    frame = session.frames.get(int(arguments.get("frameId") or -1))
    try:
        if frame is None:
            raise UsageError(f"`{name}` needs a frame or a class, as in `Ledger.total`")
        return await jvm.evaluation.place(frame, name)
    except DapwrightError as bad:
        return await _of_class(session, name) or str(bad)


async def _of_class(session: Session, name: str) -> FieldOf | None:
    """A field named by its class, of every object of it."""
    machine = session.live.machine
    owner, _, field_name = name.rpartition(".")
    if not owner:
        return None
    for one in await machine.all_classes():
        binary = name_of(one.signature)
        if binary == owner or binary.replace("$", ".") == owner or binary.rpartition(".")[2] == owner.replace(".", "$"):
            for field in await machine.types.fields(one.id):
                if field.name == field_name:
                    return FieldOf(0, field)
    return None


@REQUESTS.on("setDataBreakpoints", dict)
async def set_data_breakpoints(session: Session, arguments: Body) -> Body:
    """Watch these fields, and no others."""
    watches = session.live.watches
    wanted, told = [], list[Body]()
    for one in arguments.get("breakpoints") or ():
        try:
            expression, field, owner = watches.known(str(one.get("dataId")))
            if one.get("hitCondition"):
                read_hits(one["hitCondition"])
            watch = Watch(
                session.plant.new_id(), str(one["dataId"]), expression, field, owner, access_of(one),
                one.get("condition") or "", one.get("hitCondition") or "",
            )  # fmt: skip
        except UsageError as wrong:
            told.append({"verified": False, "message": str(wrong)})
            continue
        wanted.append(watch)
        told.append(watch.body())
    await watches.want(wanted)
    return {"breakpoints": told}
