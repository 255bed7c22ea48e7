"""Breakpoints as the client sets them."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.engines.node import binding, possible
from dapwright.engines.node.compiled import project
from dapwright.engines.node.conditions import Wanted, expressions
from dapwright.engines.node.ledger import Entry
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.scripts import path_of
from dapwright.engines.node.session import Session


class Source(msgspec.Struct, rename="camel"):
    path: str | None = None
    name: str | None = None
    source_reference: int | None = None


class SourceBreakpoint(msgspec.Struct, rename="camel"):
    line: int
    column: int | None = None
    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None


class SetBreakpoints(msgspec.Struct, rename="camel"):
    source: Source
    breakpoints: list[SourceBreakpoint] = []


@REQUESTS.on(
    "setBreakpoints",
    SetBreakpoints,
    capabilities=("supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints"),
)
async def set_breakpoints(session: Session, ask: SetBreakpoints) -> Mapping[str, Any]:
    """Take the whole list for one file."""
    named = ask.source.path or ""
    if not named:
        raise UsageError("a breakpoint needs the path of a file", "give `source.path`")
    plain = path_of(named) if named.startswith("file://") else named
    real = str(Path(plain).resolve())
    fresh = [Entry(0, real, plain, w.line - 1, w.column - 1 if w.column else None, _wanted(w)) for w in ask.breakpoints]
    entries = session.ledger.replace_file(real, fresh)
    if entries:
        session.compiled.scan(project(real))
        session.compiled.scan(session.compiled_folder)
    await _check(session, entries)
    await bind_all(session)
    return _answer(entries)


def _wanted(asked: "SourceBreakpoint | FunctionBreakpoint") -> Wanted:
    log = getattr(asked, "log_message", None)
    return Wanted(0, asked.condition or "", asked.hit_condition or "", log or "")


class FunctionBreakpoint(msgspec.Struct, rename="camel"):
    name: str
    condition: str | None = None
    hit_condition: str | None = None


class SetFunctionBreakpoints(msgspec.Struct, rename="camel"):
    breakpoints: list[FunctionBreakpoint] = []


@REQUESTS.on("setFunctionBreakpoints", SetFunctionBreakpoints, capabilities=("supportsFunctionBreakpoints",))
async def set_function_breakpoints(session: Session, ask: SetFunctionBreakpoints) -> Mapping[str, Any]:
    """Take the whole list of functions, by name (`area`, `Shape.area`, `outer.inner`) or run-time path."""
    entries = session.ledger.replace_functions(
        [Entry(0, "", "", 0, None, _wanted(w), function=w.name.strip().removesuffix("()")) for w in ask.breakpoints]
    )
    await _check(session, entries)
    session.names.resolve(entries)
    await bind_all(session)
    for target in session.running():
        for entry in entries:
            if entry.bound_line is None and not entry.refused and not entry.places:
                await binding.bind_call(target, entry)
    for entry in entries:
        if not entry.places and entry.bound_line is None and not entry.message:
            entry.message = (
                f"no source read so far defines a function `{entry.function}`; scripts are searched as they load"
            )
    return _answer(entries)


def _answer(entries: list[Entry]) -> Mapping[str, Any]:
    for entry in entries:
        entry.known = True
    return {"breakpoints": [e.told() for e in entries]}


async def bind_all(session: Session) -> None:
    """Make every target hold what is wanted now."""
    targets = session.running()
    await asyncio.gather(*[binding.watch_maps(t) for t in targets if session.configured.is_set()])
    await asyncio.gather(*[binding.bind(t) for t in targets])


async def _check(session: Session, entries: list[Entry]) -> None:
    """Refuse what cannot be read: V8 would take it and never stop."""
    for entry in entries:
        try:
            for expression in expressions(entry.wanted):
                await _parse(session, expression)
        except UsageError as bad:
            entry.refused, entry.message = True, str(bad)


async def _parse(session: Session, expression: str) -> None:
    """Compile an expression without running it.

    Raises:
        UsageError: it is no expression, in V8's words.
    """
    running = session.running()
    if not running:
        return
    text = f"new Function({json.dumps(f'return ({expression}' + chr(10) + ')')})"
    try:
        answer = await running[0].inspector.ask("Runtime.evaluate", expression=text, silent=True, seconds=5)
    except DapwrightError:
        return
    thrown = (answer.get("exceptionDetails") or {}).get("exception") or {}
    words = str(thrown.get("description", "")).partition("\n")[0]
    if thrown.get("className") == "SyntaxError" and not any(
        w in words for w in ("Private field", "super", "new.target")
    ):
        raise UsageError(f"`{expression}` cannot be parsed: {words}")


class Locations(msgspec.Struct, rename="camel"):
    source: Source
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


@REQUESTS.on("breakpointLocations", Locations, capabilities=("supportsBreakpointLocationsRequest",))
async def breakpoint_locations(session: Session, ask: Locations) -> Mapping[str, Any]:
    """The places of a line range where V8 can stop; of a file that is not loaded too, where it compiles."""
    real = str(Path(ask.source.path or "").resolve())
    last = ask.end_line or ask.line
    found = await possible.locations(session, real, ask.line - 1, last - 1)
    return {"breakpoints": [{"line": line + 1, "column": column + 1} for line, column in found]}
