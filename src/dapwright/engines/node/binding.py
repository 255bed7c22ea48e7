"""Breakpoints in one target: from what is wanted to what V8 holds.

V8 keeps one breakpoint a place, so a place is a `Cell` with all that is wanted there. A file that
is compiled while the program runs (tsx, ts-node) has no known lines before it is parsed: a cell of
kind `load` stops on its first statement, the true places are bound then, and it goes on.
"""

import asyncio
from typing import Any
from urllib.parse import quote as percent

import msgspec

from dapwright.core.errors import AdapterError
from dapwright.engines.node import exact
from dapwright.engines.node.conditions import javascript
from dapwright.engines.node.ledger import Entry
from dapwright.engines.node.scripts import Script
from dapwright.engines.node.target import Target

Key = tuple[str, int, int]
"""A pattern over addresses, a generated line and column."""

COMPILED = (".ts", ".tsx", ".mts", ".cts", ".jsx", ".vue", ".svelte", ".coffee")
"""Sources that V8 never runs as they are, unless Node strips the types itself."""
REHEARSAL = "dapwright-possible"
"""The address of what is compiled to be asked for its places, and never run."""


class Cell(msgspec.Struct):
    """One place in V8: what is wanted there, and V8's own id for it."""

    kind: str
    """`line`, `load`, `entry`, `call`."""
    members: list[Entry] = []
    condition: str = ""
    v8: str = ""
    at: list[tuple[str, int, int]] = []
    """Where V8 bound it: (script, line, column)."""


async def bind(target: Target) -> None:
    """Make V8 hold exactly what is wanted now."""
    await exact.learn(target)
    wanted = _wanted(target)
    stale = [key for key, cell in target.cells.items() if key not in wanted or _differs(cell, wanted[key])]
    fresh = [key for key in wanted if key not in target.cells or key in stale]
    again = {key for key in stale if key in wanted}
    gone = [target.cells.pop(key) for key in stale if key not in wanted]
    for key in again:  # V8 knows it by its place, so that it goes before it comes again
        _remove(target, target.cells.pop(key))
    for key, cell in target.cells.items():
        cell.members = wanted[key].members
    target.cells |= {key: wanted[key] for key in fresh}
    await asyncio.gather(*[_set(target, key, wanted[key]) for key in fresh])
    for cell in gone:  # last: a better place for the same line holds by now, while the program runs
        _remove(target, cell)


def _remove(target: Target, cell: Cell) -> None:
    target.bound.pop(cell.v8, None)
    target.inspector.start("Debugger.removeBreakpoint", breakpointId=cell.v8)


def _differs(old: Cell, new: Cell) -> bool:
    return old.condition != new.condition or old.kind != new.kind


def _wanted(target: Target) -> dict[Key, Cell]:
    cells: dict[Key, Cell] = {}
    for entry in target.session.ledger.entries():
        for kind, key in _places(target, entry):
            cell = cells.setdefault(key, Cell(kind))
            if kind != "load":
                cell.members.append(entry)
    for cell in cells.values():
        cell.condition = javascript([e.wanted for e in cell.members]) if cell.members else ""
    entry_file = target.session.entry_file
    if entry_file and target.thread == target.session.main_thread:
        cells[target.session.pattern(entry_file), *target.session.entry_place] = Cell("entry")
    return cells


def _places(target: Target, entry: Entry) -> list[tuple[str, Key]]:
    if not entry.function:
        return _places_of(target, entry.path, entry.line, entry.column)
    return [found for path, line, column in entry.places for found in _places_of(target, path, line, column)]


def _places_of(target: Target, path: str, line: int, column: int | None) -> list[tuple[str, Key]]:
    session = target.session
    found: list[tuple[str, Key]] = []
    own = [s for s in target.scripts.values() if s.path == path]
    for script in session.compiled_from(path, target):
        places = target.exact.get((script.id, path, line, column), [])
        found += [("line", (session.pattern(script.path), gl, gc)) for gl, gc in places]
        own = [s for s in own if s.path != script.path]
    if any(s.map_url and s.map() for s in own) and found:
        return found
    if own and not (own[-1].map_url and own[-1].map()):
        places = target.exact.get((own[-1].id, path, line, column)) or [(line, column or 0)]
        found += [("line", (session.pattern(path), gl, gc)) for gl, gc in places]
    elif path.endswith(COMPILED):
        if not any(s.path == path for s in target.scripts.values()):
            found.append(("load", (session.pattern(path), 0, 0)))
    elif not own:
        found.append(("line", (session.pattern(path), line, column or 0)))
    return found


async def _set(target: Target, key: Key, cell: Cell) -> None:
    regex, line, column = key
    try:
        answer = await target.inspector.ask(
            "Debugger.setBreakpointByUrl",
            urlRegex=regex,
            lineNumber=line,
            columnNumber=column,
            condition=cell.condition,
        )
    except AdapterError as refused:
        for entry in cell.members:
            entry.message = str(refused)
        return
    cell.v8 = answer["breakpointId"]
    target.bound[cell.v8] = cell
    for location in answer["locations"]:
        resolved(target, cell, location)


def resolved(target: Target, cell: Cell, location: dict[str, Any]) -> None:
    """V8 bound a cell: tell whom it concerns, and look after what it slid to another line."""
    tell_bound(target, note_location(target, cell, location))
    if any(entry.bound_line != entry.line for entry in cell.members if not entry.function):
        target.do(_straightened(target, cell))


async def _straightened(target: Target, cell: Cell) -> None:
    await straighten(target, cell)


async def straighten(target: Target, cell: Cell) -> list[Entry]:
    """Set anew what V8 has slid from its line though it can stop there; return the entries that lay astray."""
    astray = []
    for number, line, _ in [at for at in cell.at if cell.kind == "line"]:
        script = target.scripts.get(number)
        if script is None or (script.map_url and script.map()):
            continue
        for entry in cell.members:
            slid = not entry.function and entry.path == script.path and line != entry.line
            if slid and await exact.learn_own(target, script, entry):
                astray.append(entry)
    if astray:
        await bind(target)
    return astray


def tell_bound(target: Target, entries: list[Entry]) -> None:
    """Send what became of breakpoints that the client knows already."""
    for entry in entries:
        if entry.known:
            target.session.server.event("breakpoint", {"reason": "changed", "breakpoint": entry.told()})


def note_location(target: Target, cell: Cell, location: dict[str, Any]) -> list[Entry]:
    """Remember where V8 bound a cell; return the entries whose line this tells anew."""
    script, line, column = target.place(location)
    cell.at.append((location["scriptId"], line, column))
    position = target.position(script, line, column)
    if position is None or cell.kind in ("load", "entry"):
        return []
    changed = []
    before = target.position(script, line, max(column - 1, 0))
    for entry in cell.members:
        # V8 stops for `return x` behind it, which in a minified line may be the next line's `}`.
        if position.line != entry.line and before is not None and before.line == entry.line and not entry.function:
            position = before
        if entry.bound_line != position.line and (entry.bound_line is None or not entry.function):
            entry.bound_line, entry.message = position.line, ""
            if entry.function and not entry.named:
                entry.named = position.path
            changed.append(entry)
    return changed


async def watch_maps(target: Target) -> None:
    """Have the program stop before each script that carries a map, where a breakpoint may lie in its source.

    Our preload does it for CommonJS (V8's own instrumentation, the way for what we attach to, is
    silent in Node 22 and later). ES modules are told only as they are parsed: they bind by
    `script_parsed`, and by the maps found beside compiled files before the start.
    """
    wanted = any(e.path.endswith(COMPILED) or e.function for e in target.session.ledger.entries())
    if wanted and not target.watching_maps:
        target.watching_maps = True
        ours = "(f=>f?(f(),1):0)(globalThis[Symbol.for('dapwright.watch')])"
        answer = await target.inspector.ask("Runtime.evaluate", expression=ours, silent=True)
        if answer["result"].get("value") == 1:
            return
        await target.inspector.ask(
            "Debugger.setInstrumentationBreakpoint", instrumentation="beforeScriptWithSourceMapExecution"
        )


def script_parsed(target: Target, script: Script) -> None:
    """A script came: bind what waits for it, as early as V8 lets us."""
    entries = target.session.ledger.entries()
    if not entries or script.is_internal or "/node_modules/" in script.path:
        return
    known = target.session.names.learn(script, entries) if any(e.function for e in entries) else False
    paths = {e.path for e in entries} | {p for e in entries for p, _, _ in e.places}
    if known or script.path in paths or (script.map_url and paths & set(script.sources(target.session.folder))):
        target.do(bind(target))


async def loading(target: Target, call: str) -> None:
    """Our preload stands before a CommonJS module that was just compiled: learn its map, and bind."""
    answer = await target.inspector.ask(
        "Debugger.evaluateOnCallFrame", callFrameId=call, expression="[filename,map]", returnByValue=True
    )
    path, map_url = answer["result"]["value"]
    script = Script(f"loading:{path}", f"file://{percent(path)}", path, map_url, False)
    target.scripts[script.id] = script
    if {w[0] for w in exact.wishes(target.session.ledger.entries())} & set(script.sources(target.session.folder)):
        await _rehearse(target, script, call)
    target.session.names.learn(script, target.session.ledger.entries())
    await bind(target)


async def _rehearse(target: Target, script: Script, call: str) -> None:
    """Compile in the program what is about to be loaded, which no file holds as it is: V8 then knows its places."""
    await target.inspector.ask(
        "Debugger.evaluateOnCallFrame", callFrameId=call, expression="void rehearse()", silent=True
    )
    made = next((s for s in reversed(target.scripts.values()) if s.url == REHEARSAL), None)
    if made is not None:
        target.rehearsed[script.id] = (made.id, 0)


async def arrived(target: Target, location: dict[str, Any]) -> list[Entry]:
    """Return the entries that lie exactly where a `load` stop stands: V8 will not stop there again."""
    here = (location["scriptId"], location["lineNumber"], location.get("columnNumber", 0))
    hit = []
    for cell in target.cells.values():
        if cell.kind != "line" or here not in cell.at:
            continue
        if cell.condition:
            answer = await target.inspector.ask(
                "Debugger.evaluateOnCallFrame", callFrameId=target.top_call, expression=cell.condition
            )
            if answer["result"].get("value") is not True:
                continue
        hit += stopping(cell)
    return hit


async def bind_call(target: Target, entry: Entry) -> None:
    """A function that no source defines by name: a run-time path (`fs.readFileSync`), by its object."""
    try:
        found = await target.inspector.ask("Runtime.evaluate", expression=_path(entry.function), silent=True)
        value = found["result"]
        if value.get("type") != "function" or "exceptionDetails" in found:
            return
        cell = Cell("call", [entry], javascript([entry.wanted]))
        answer = await target.inspector.ask(
            "Debugger.setBreakpointOnFunctionCall", objectId=value["objectId"], condition=cell.condition
        )
    except AdapterError as refused:
        entry.message = f"V8 cannot stop in `{entry.function}`: {refused}"
        return
    cell.v8 = answer["breakpointId"]
    target.bound[cell.v8] = cell
    target.calls_bound.append(cell)
    entry.bound_line, entry.message = 0, ""


def _path(dotted: str) -> str:
    """Code for a dotted path: from the globals, else from a module of Node's; getters on it do run."""
    if not all(part.isidentifier() for part in dotted.replace("$", "_").split(".")):
        return "undefined"
    head, _, rest = dotted.partition(".")
    ours = f"globalThis[Symbol.for('dapwright.watch')]?.require('{head}')"  # before Node 20.16
    module = f"process.getBuiltinModule?.('{head}')??{ours}??process.mainModule?.require('{head}')"
    tail = "".join(f"?.{part}" for part in rest.split(".") if part)
    return f"(typeof {head}!=='undefined'&&{head}!==null?{head}:{module}){tail}"


def stopping(cell: Cell) -> list[Entry]:
    """The members of a cell that stop; the others only log."""
    return [e for e in cell.members if not e.wanted.log]


def fired(cell: Cell, said: set[int]) -> list[Entry]:
    """Those of them that V8 has stopped for: of several at one place those that said so (conditions.py)."""
    those = stopping(cell)
    return [e for e in those if e.id in said] or those
