"""From an address to a breakpoint: statements, lines, functions and values become records."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dapwright import files
from dapwright.core import anchors, hits, logs
from dapwright.core import protocol as dap
from dapwright.core.anchors import Resolution
from dapwright.core.errors import NotSupported, UsageError
from dapwright.core.ledger import Record
from dapwright.core.model import Anchor
from dapwright.core.source import Structure, structure_of
from dapwright.running import standing
from dapwright.session import Session

SEARCHED_FILES = 3000
"""How many sources of a project are looked through for a function's name."""
SKIPPED_FOLDERS = frozenset(["node_modules", "venv", "site-packages", "__pycache__", "dist", "build", "target"])


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `set_breakpoint` was asked for, as it was asked."""

    file: str = ""
    line: int | None = None
    statement: str | None = None
    near_line: int | None = None
    function: str | None = None
    expected_content: str | None = None
    condition: str = ""
    hit_condition: str = ""
    log_message: str = ""
    watch: str | None = None
    access: str = "write"
    suspend_policy: str = ""


async def make(session: Session, wanted: Wanted) -> Record:
    """Resolve an address to a record, or refuse it in words that mend the call. Changes nothing.

    Raises:
        UsageError: the address or what to do there is wrong.
        NotSupported: the engine has no such breakpoint.
    """
    _check_address(wanted)
    if wanted.hit_condition:
        hits.parse(wanted.hit_condition)
    if wanted.log_message:
        logs.parse(wanted.log_message)
    if wanted.condition:
        session.adapter.check_condition(wanted.condition)
    if wanted.watch is not None:
        record = await _watch(session, wanted)
    elif wanted.statement is not None or wanted.line is not None:
        record = _line(session, wanted)
    else:
        record = _function(session, wanted)
    record.condition, record.hit_condition = wanted.condition.strip(), wanted.hit_condition.strip()
    record.log_message, record.suspend_policy = wanted.log_message, wanted.suspend_policy
    return record


def _check_address(wanted: Wanted) -> None:
    """One address, and one alone."""
    hint = "pass `file` and `statement`, `file` and `line`, `function`, or `watch`"
    if wanted.watch is not None:
        if wanted.line is not None or wanted.statement is not None or wanted.function:
            raise UsageError("`watch` is an address of its own", hint)
        return
    if wanted.statement is not None and wanted.line is not None:
        raise UsageError("`statement` and `line` are two addresses", "pass one; `nearLine` chooses between equal lines")
    if (wanted.statement is not None or wanted.line is not None) and not wanted.file:
        raise UsageError("`file` is missing", hint)
    if wanted.statement is None and wanted.line is None and not wanted.function:
        raise UsageError("no address says where to stop", hint)
    if wanted.line is not None and wanted.function:
        raise UsageError("`line` and `function` are two addresses", "pass one; `function` narrows a `statement`")


def path_of(session: Session, file: str) -> str:
    """A file as the agent named it, absolute and in its one spelling."""
    if session.adapter.names_classes and session.adapter.names_classes(file):
        return file
    cwd = session.launch.cwd if session.launch else ""
    path = files.resolve(file, cwd or str(Path.cwd()))
    files.look(path)
    return files.canonical(path)


def structure(session: Session, path: str) -> Structure:
    """The structure of a source file as it is now."""
    return structure_of(files.read(path))


def _line(session: Session, wanted: Wanted) -> Record:
    path = path_of(session, wanted.file)
    if session.adapter.names_classes and session.adapter.names_classes(path):
        return _class_line(wanted, path)
    known = structure(session, path)
    found = _resolve(known, wanted)
    line, moved = anchors.move(known, found.line)
    record = Record("", "line", file=path, line=line, content=known.file.line(line).strip())
    if line != found.line:
        record.requested_line = found.line
    record.warning = "; ".join(part for part in (found.warning, moved) if part)
    statement = wanted.statement if wanted.statement is not None else wanted.expected_content
    if statement is not None:
        record.anchor = Anchor(statement.strip(), wanted.near_line, wanted.function if wanted.statement else None)
        record.surroundings = anchors.surroundings(known, found.line, statement)
    return record


def _class_line(wanted: Wanted, name: str) -> Record:
    if wanted.line is None:
        raise UsageError(f"`{name}` is a class: its source is not known here", "pass the source file, or `line`")
    return Record("", "line", file=name, line=wanted.line)


def _resolve(known: Structure, wanted: Wanted) -> Resolution:
    if wanted.statement is None:
        assert wanted.line is not None
        return anchors.check_line(known, wanted.line, wanted.expected_content)
    found = anchors.resolve(
        known, statement=wanted.statement, near_line=wanted.near_line, function=wanted.function or None
    )
    if wanted.expected_content is not None:
        anchors.check_line(known, found.line, wanted.expected_content)
    return found


def _function(session: Session, wanted: Wanted) -> Record:
    assert wanted.function
    name = wanted.function.strip()
    ours = bool(wanted.file) or session.adapter.function_breakpoints == "ours"
    if wanted.log_message and not wanted.file:
        raise UsageError(
            "a function breakpoint takes no `logMessage`", "pass `file` too, or the `statement` of a line to log at"
        )
    record = Record("", "function", function=session.adapter.function_name(name))
    if wanted.file:
        path = path_of(session, wanted.file)
        record.file = path
        known = structure(session, path)
        _bind(record, [(path, known)], anchors.functions(known, name))
    elif ours and session.launch is not None:
        resolve_function(session, record)
    return record


def _bind(record: Record, sources: list[tuple[str, Structure]], found: list[Any]) -> None:
    path, known = sources[0]
    places = [(path, _body(known, function)) for function in found]
    record.places = tuple(places)
    record.line, record.content = places[0][1], known.file.line(places[0][1]).strip()
    if len(places) > 1:
        listed = ", ".join(f"{function.qualified} ({line})" for function, (_, line) in zip(found, places, strict=True))
        record.warning = f"{len(places)} functions are named so, and all are bound: {listed}"


def _body(known: Structure, function: Any) -> int:
    lines = known.executable_lines(function)
    return lines[0] if lines else int(function.body)


def resolve_function(session: Session, record: Record) -> None:
    """Find a function in the program's own sources; where it is nowhere, the engine is asked by name."""
    found: list[tuple[str, int, str]] = []
    for path in _sources(session):
        text = session.host.read(path)
        if record.function.rsplit(".", 1)[-1] not in text:
            continue
        try:
            known = structure(session, path)
            found += [(path, _body(known, f), f.qualified) for f in anchors.functions(known, record.function)]
        except UsageError:
            continue
    record.places = tuple((path, line) for path, line, _ in found)
    if not found:
        record.message = f"no function `{record.function}` is in the program's sources"
        return
    record.file, record.line = found[0][0], found[0][1]
    record.content = structure(session, record.file).file.line(record.line).strip()
    if len(found) > 1:
        listed = ", ".join(f"{Path(path).name}:{line} {name}" for path, line, name in found[:20])
        record.warning = f"{len(found)} functions are named so, and all are bound: {listed}"


def _sources(session: Session) -> Iterator[str]:
    """The program's own sources: its file first, then those below its folders, libraries left aside."""
    launch = session.launch
    assert launch is not None
    if launch.program:
        yield files.canonical(launch.program)
    seen, count = {files.canonical(launch.program)} if launch.program else set[str](), 0
    roots = dict.fromkeys(
        folder for folder in (str(Path(launch.program).parent) if launch.program else "", launch.cwd) if folder
    )
    for root in roots:
        for folder, below, names in os.walk(root):
            below[:] = [name for name in sorted(below) if name not in SKIPPED_FOLDERS and not name.startswith(".")]
            for name in sorted(names):
                path = files.canonical(str(Path(folder) / name))
                if name.endswith(session.adapter.extensions) and path not in seen:
                    seen.add(path)
                    count += 1
                    if count > SEARCHED_FILES:
                        return
                    yield path


async def _watch(session: Session, wanted: Wanted) -> Record:
    assert wanted.watch is not None
    name, main = session.adapter.display_name, session.main
    can = main is not None and main.capabilities.supports_data_breakpoints
    if main is None or (not can and (session.adapter.language == "python" or session.state != "created")):
        raise NotSupported(
            f"`watch` needs data breakpoints, and the {name} ({session.adapter.language}) engine has none",
            "set a breakpoint on the statements that assign it, or call explain_value",
        )
    if session.state != "paused":
        raise NotSupported(
            "a value can be watched while the program is paused where it is visible",
            "stop at a breakpoint in that scope first, then set the watch",
        )
    return await _ask_watch(session, wanted.watch, wanted.access)


async def _ask_watch(session: Session, expression: str, access: str) -> Record:
    stop = standing(session)
    frames = await stop.connection.frames(stop, 20)
    body = await stop.connection.client.ask(
        dap.DATA_BREAKPOINT_INFO, {"name": expression, "frameId": frames[0].id if frames else None}
    )
    if body.data_id is None:
        raise UsageError(
            f"`{expression}` cannot be watched: {body.description}", "name a variable that lives in memory"
        )
    if body.access_types and access not in body.access_types:
        raise NotSupported(f"`{access}` cannot be watched for here", "pass one of: " + ", ".join(body.access_types))
    return Record("", "watch", watch=expression, access=access, data_id=body.data_id)


def until_record(session: Session, until: Mapping[str, Any]) -> Record:
    """The hidden breakpoint of `continue_execution {until}`."""
    wanted = Wanted(
        file=until.get("file") or "",
        line=until.get("line"),
        statement=until.get("statement"),
        function=until.get("function"),
    )
    _check_address(wanted)
    return _function(session, wanted) if wanted.statement is None and wanted.line is None else _line(session, wanted)


def resolve_again(session: Session) -> dict[str, Any]:
    """Find every anchor again in its file as it is now: what moved, and what is not there any more."""
    moved: list[dict[str, Any]] = []
    stale: list[dict[str, Any]] = []
    for record in session.ledger.shown():
        if record.kind == "function" and not record.stale:
            _again_function(session, record)
        if record.anchor is None:
            continue
        row = {"breakpointId": record.id, "file": record.file, "statement": record.anchor.statement}
        try:
            known = structure(session, record.file)
        except UsageError as gone:
            record.stale, record.armed, record.message = True, False, str(gone)
            stale.append({**row, "line": record.line, "reason": str(gone)})
            continue
        found = anchors.relocate(
            known,
            statement=record.anchor.statement,
            surroundings=record.surroundings,
            old_line=record.requested_line or record.line,
        )
        if found.line is None:
            _stale(record, known, found.reason)
            stale.append({**row, "line": record.line, "reason": found.reason, "candidates": _rows(found.candidates)})
        else:
            _moved(record, known, found.line, row, moved, found.candidates)
    return {"moved": moved, "stale": stale} if moved or stale else {}


def _again_function(session: Session, record: Record) -> None:
    try:
        if record.file and record.places:
            known = structure(session, record.file)
            _bind(record, [(record.file, known)], anchors.functions(known, record.function))
    except UsageError as gone:
        record.stale, record.message = True, str(gone)


def _stale(record: Record, known: Structure, reason: str) -> None:
    """Keep the record and its line; arm it only where that line still has the anchor's text."""
    assert record.anchor is not None
    here = record.line <= len(known.file.lines)
    record.stale, record.message = True, f"stale: {reason}"
    record.armed = here and known.code(record.line).strip() == record.anchor.statement


def _moved(
    record: Record, known: Structure, line: int, row: dict[str, Any], moved: list[dict[str, Any]], candidates: Any
) -> None:
    was = record.requested_line or record.line
    target, told = anchors.move(known, line)
    record.stale, record.armed = False, True
    record.message = ""
    if target != record.line:
        moved.append({**row, "from": record.line, "to": target, "candidates": _rows(candidates)})
    record.line, record.content = target, known.file.line(target).strip()
    record.requested_line = line if target != line else None
    assert record.anchor is not None
    record.surroundings = anchors.surroundings(known, line, record.anchor.statement)
    record.warning = told if was != line else record.warning


def _rows(candidates: Any) -> list[dict[str, Any]]:
    return [{"line": line, "content": text} for line, text in candidates] if len(candidates) > 1 else []
