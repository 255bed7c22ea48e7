"""Which thrown values are worth a stop, and what they say.

V8 predicts whether a throw will be caught. It is right about `try` and promises, and of no use
where everything is caught by machinery: the top level of a module (caught by Node's loader, or
tsx's), a test (caught by its runner). There the frames decide: is the place guarded by a `try` of
the program's own, or called through `assert.throws` and its like?
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.node import values
from dapwright.engines.node.probes import KIND
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Json, Target

if TYPE_CHECKING:
    from dapwright.engines.node.outline import Outline

FILTERS: list[dict[str, Any]] = [
    {"filter": "uncaught", "label": "Uncaught exceptions", "default": True, "supportsCondition": True},
    {"filter": "all", "label": "All exceptions", "default": False, "supportsCondition": True},
    {"filter": "test-failure", "label": "Failures that a test runner catches", "default": False},
]
NAMES = re.compile(r"\s*[\w$.]+(\s*[,|\s]\s*[\w$.]+)*\s*")
CATCHERS = frozenset({"throws", "rejects", "doesNotReject", "toThrow", "toThrowError", "toThrowErrorMatchingSnapshot"})
"""Functions that call a function to see it throw."""

BreakMode = Literal["always", "unhandled"]
"""DAP's words: whether the program catches it is not known, or it will not."""

LOADERS = re.compile(r"/node_modules/tsx/")
"""tsx hands even a CommonJS file to the loader of ES modules, which catches what its top level throws (tsx 4)."""


class Filters(msgspec.Struct, rename="camel"):
    filters: list[str] = []
    filter_options: list[dict[str, Any]] = []
    exception_options: list[dict[str, Any]] = []


@REQUESTS.on(
    "setExceptionBreakpoints",
    Filters,
    capabilities={
        "exceptionBreakpointFilters": FILTERS,
        "supportsExceptionFilterOptions": True,
        "supportsExceptionOptions": True,
    },
)
async def set_filters(session: Session, ask: Filters) -> Mapping[str, Any]:
    """Take the filters; a condition, or an option's path, is a list of class names."""
    chosen: dict[str, tuple[str, ...]] = dict.fromkeys(ask.filters, ())
    told: list[dict[str, Any]] = [{"verified": True} for _ in ask.filters]
    for option in ask.filter_options + [_as_filter(o) for o in ask.exception_options]:
        condition = str(option.get("condition") or "")
        if condition and not NAMES.fullmatch(condition):
            told.append({"verified": False, "message": f"`{condition}` is no list of class names"})
            continue
        chosen[option["filterId"]] = tuple(re.split(r"[,|\s]+", condition.strip())) if condition else ()
        told.append({"verified": True})
    unknown = set(chosen) - {f["filter"] for f in FILTERS}
    if unknown:
        raise UsageError(f"there is no exception filter `{min(unknown)}`", "use `uncaught`, `all` or `test-failure`")
    session.filters = chosen
    for target in session.running():
        await apply(target)
    return {"breakpoints": told}


def _as_filter(option: dict[str, Any]) -> dict[str, Any]:
    """Read an exception option (a path of names, the last of which are classes) as a filter with a condition."""
    names = [name for part in (option.get("path") or [])[1:] for name in part.get("names") or []]
    always = option.get("breakMode") == "always"
    return {"filterId": "all" if always else "uncaught", "condition": ",".join(names)}


async def apply(target: Target) -> None:
    """Tell V8 which throws to stop for; we choose among them."""
    await target.inspector.ask("Debugger.setPauseOnExceptions", state=_state(target))


def _state(target: Target) -> str:
    filters = target.session.filters
    if not filters:
        return "none"
    if set(filters) & {"all", "test-failure"} or target.loading_modules:
        return "all"
    return "uncaught"


def script_parsed(target: Target, is_module: bool) -> None:
    """An ES module begins to load: its top level's throws look caught to V8."""
    if is_module and not target.loading_modules and "uncaught" in target.session.filters:
        target.loading_modules = True
        target.inspector.start("Debugger.setPauseOnExceptions", state=_state(target))


async def judged(target: Target, params: Json) -> BreakMode | None:
    """Return how an exception that passes the filters is met; None for one that does not."""
    filters, data = target.session.filters, params.get("data") or {}
    handled = await _has_catch(target, params)
    caught = handled or not data.get("uncaught")
    ends = not caught or (not handled and "uncaught" in filters and await _ends_module(target, params))
    met: BreakMode = "unhandled" if ends else "always"
    about = await _kind(target, data) if any(filters.values()) else []
    if "all" in filters and _named(filters["all"], about):
        return met
    if ends and "uncaught" in filters and _named(filters["uncaught"], about):
        return met
    if "test-failure" in filters and (not caught or not await _guarded(target, params)):
        return met
    return None


async def _has_catch(target: Target, params: Json) -> bool:
    """Return whether a rejected promise is handed, call by call, to a `catch` that is attached only afterwards."""
    if params["reason"] != "promiseRejection":
        return False
    from dapwright.engines.node import chains  # late: the engine starts without it

    handed = False
    for number, call in enumerate(params["callFrames"]):
        source = await _source(target, call["location"]) if _is_program(target, call["location"]) else None
        if source is None:
            return False
        at = _offset(source, call["location"])
        if handed or not number:
            end = chains.fate(source, at)
            if end == "caught" or (handed and end == "left"):
                return end == "caught"
            handed = handed or (end == "handed on" and chains.rejects(source, at))
        begin = call.get("functionLocation")
        handed = handed or (begin is not None and chains.is_async(source, _offset(source, begin)))
    return False


async def _source(target: Target, location: Json) -> str | None:
    try:
        answer = await target.inspector.ask("Debugger.getScriptSource", scriptId=location["scriptId"])
    except DapwrightError:
        return None
    return str(answer["scriptSource"])


def _offset(source: str, location: Json) -> int:
    """Where a place of V8's stands in its script."""
    before = source.split("\n", location["lineNumber"])[: location["lineNumber"]]
    return sum(len(line) + 1 for line in before) + int(location.get("columnNumber", 0))


def _named(names: tuple[str, ...], about: list[str]) -> bool:
    return not names or bool(set(names) & set(about))


async def _kind(target: Target, data: Json) -> list[str]:
    """The names of a thrown object's classes."""
    if "objectId" not in data:
        return []
    try:
        answer = await target.inspector.ask(
            "Runtime.callFunctionOn",
            objectId=data["objectId"],
            functionDeclaration=KIND,
            returnByValue=True,
        )
    except DapwrightError:
        return []
    return answer["result"].get("value") or []


async def _ends_module(target: Target, params: Json) -> bool:
    """The loader of ES modules will report what nothing of the program's catches."""
    return _in_module(target, params) and not await _guarded(target, params)


def _in_module(target: Target, params: Json) -> bool:
    """The outermost frame of the program's is a module's top level, with nothing but loaders below it."""
    for call in reversed(params["callFrames"]):
        script, *_ = target.place(call["location"])
        if script is None or script.is_internal or LOADERS.search(script.path):
            continue
        begin = call.get("functionLocation") or {}
        whole = (begin.get("lineNumber"), begin.get("columnNumber")) == (0, 0)  # the file, and no function in it
        return whole and not call["functionName"]
    return False


async def _guarded(target: Target, params: Json) -> bool:
    """Return whether a `try` with a `catch`, or an `assert.throws`, stands between the throw and the machinery."""
    users = [i for i, call in enumerate(params["callFrames"]) if _is_program(target, call["location"])]
    if not users:
        return True
    for call in params["callFrames"][: users[-1] + 1]:
        script, line, column = target.place(call["location"])
        if call["functionName"] in CATCHERS and script is not None and not _is_program(target, call["location"]):
            return True
        scope: Json = next((s for s in call["scopeChain"] if s["type"] in ("local", "module")), {})
        begin = scope.get("startLocation") or call.get("functionLocation") or {}
        found = await _outline(target, script.id) if script else None
        if found and found.catches((line, column), (begin.get("lineNumber", 0), begin.get("columnNumber", 0))):
            return True
    return await _awaited_guarded(target, params.get("asyncStackTrace"))


async def _awaited_guarded(target: Target, trace: Json | None) -> bool:
    """The same for awaiting callers, whose functions' extents V8 does not tell."""
    while trace:
        for call in trace["callFrames"]:
            if call["functionName"] in CATCHERS:
                return True
            script = target.scripts.get(call["scriptId"])
            if script is None or not _is_program(target, call):
                continue
            found = await _outline(target, script.id)
            if found and found.catches((call["lineNumber"], call["columnNumber"]), (0, 0)):
                return True
        trace = trace.get("parent")
    return False


def _is_program(target: Target, location: Json) -> bool:
    script = target.scripts.get(location["scriptId"])
    return script is not None and not script.is_internal and "/node_modules/" not in script.path


async def _outline(target: Target, script: str) -> "Outline | None":
    from dapwright.engines.node.outline import outline  # late: the engine starts without it

    if script not in target.outlines:
        source = await _source(target, {"scriptId": script})
        if source is None:
            return None
        target.outlines[script] = outline(source)
    return target.outlines[script]


def headline(data: Json) -> str:
    """The thrown value in one line, or a few."""
    if data.get("subtype") == "error":
        return values.error_head(data.get("description", ""))
    return values.render(data)


class ExceptionInfo(msgspec.Struct, rename="camel"):
    thread_id: int


@REQUESTS.on("exceptionInfo", ExceptionInfo, capabilities=("supportsExceptionInfoRequest",))
async def exception_info(session: Session, ask: ExceptionInfo) -> Mapping[str, Any]:
    """The exception at which the thread stands, with the chain of its causes."""
    target = session.thread(ask.thread_id)
    stop = target.standing()
    if stop.reason != "exception":
        raise UsageError("this thread does not stand at an exception", "look at its `stopped` event for the reason")
    details = await _details(target, stop.data, 0)
    return {
        "exceptionId": details.get("typeName") or stop.data.get("className") or stop.data.get("type", "exception"),
        "description": headline(stop.data),
        "breakMode": stop.break_mode,
        "details": details,
    }


async def _details(target: Target, thrown: Json, depth: int) -> Json:
    """`message`, `typeName`, `stackTrace`, `innerException`; ten causes at most (they may form a ring)."""
    if thrown.get("subtype") != "error":
        return {"message": values.render(thrown), "typeName": values.type_name(thrown)}
    head = values.error_head(thrown.get("description", ""))
    name, _, message = head.partition(": ")
    details: Json = {"message": message or head, "typeName": thrown.get("className") or name}
    details["stackTrace"] = thrown.get("description", "")
    listed = await target.inspector.ask("Runtime.getProperties", objectId=thrown["objectId"], ownProperties=True)
    inner = []
    for own in listed["result"]:
        value = own.get("value") or {}
        if own["name"] == "code" and value.get("type") == "string":
            details["fullTypeName"] = f"{details['typeName']} [{value['value']}]"
        if own["name"] == "cause" and value and depth < 10:
            inner = [await _details(target, value, depth + 1)]
    return details | ({"innerException": inner} if inner else {})
