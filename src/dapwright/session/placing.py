"""From an address to a breakpoint: statements, lines, functions and values become records."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dapwright import files
from dapwright.core import anchors, hits, logs
from dapwright.core.addresses import address_of
from dapwright.core.anchors import Resolution
from dapwright.core.errors import NotSupported, UsageError
from dapwright.core.ledger import Record
from dapwright.core.model import Anchor
from dapwright.core.source import Structure
from dapwright.session import watching
from dapwright.session.functions import bind, resolve_function, structure
from dapwright.session.running import standing
from dapwright.session.session import Session


class Wanted(Struct, frozen=True):
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
    await judge(session, codes(wanted))
    if wanted.watch is not None:
        record = await _watch(session, wanted)
    elif wanted.statement is not None or wanted.line is not None:
        record = _line(session, wanted)
    else:
        record = _function(session, wanted)
    record.condition, record.hit_condition = wanted.condition.strip(), wanted.hit_condition.strip()
    record.log_message, record.suspend_policy = wanted.log_message, wanted.suspend_policy
    record.warning = "; ".join(filter(None, (record.warning, *_left_aside(session, wanted))))
    return _plain(session, record)


def _left_aside(session: Session, wanted: Wanted) -> list[str]:
    """What was asked and has no meaning here: told rather than passed over."""
    told = []
    if wanted.near_line is not None and wanted.statement is None:
        told.append("`nearLine` was left aside: it chooses between equal lines of a `statement`")
    if wanted.suspend_policy == "thread" and session.adapter.names_classes is None:
        told.append("`suspendPolicy` was left aside: only the JVM has it")
    return told


def codes(wanted: Wanted) -> list[str]:
    """The expressions that an address has evaluated in the program, time and again."""
    logged = [part.text for part in logs.parse(wanted.log_message) if part.expression] if wanted.log_message else []
    return [text for text in (wanted.condition, *logged, wanted.watch or "") if text.strip()]


async def judge(session: Session, expressions: Sequence[str], changes: Mapping[str, str] = {}) -> None:
    """Refuse code that the rules forbid, or that plainly changes the program where it should only look at it.

    Raises:
        NotAllowed: with what was found.
    """
    for text in expressions:
        session.adapter.refuse_writes(text)
    assigned = [words for name, value in changes.items() for words in assignment(name, value)]
    await session.effects([*(("evaluate", text) for text in expressions), *assigned])


def assignment(name: str, value: str) -> list[tuple[str, ...]]:
    """A change of a variable as what is judged: the change, and the expression, which is code like any other."""
    return [("assign", name, "=", value), ("evaluate", value)]


def _plain(session: Session, record: Record) -> Record:
    """What an addressing mode does not have: anchors but in `content`, loud moves in `line`."""
    if session.addressing != "content":
        record.anchor = record.surroundings = None
    if session.addressing == "line":
        record.requested_line, record.warning = None, ""
    return record


def _check_address(wanted: Wanted) -> None:
    """One address, and one alone."""
    placed = wanted.statement is not None or wanted.line is not None
    if wanted.watch is not None:
        if placed or wanted.function or wanted.expected_content is not None:
            raise _misaddressed("`watch` is an address of its own")
        if not wanted.watch.strip():
            raise UsageError("`watch` is blank", "name a variable or an expression of the paused frame")
        return
    if wanted.statement is not None and wanted.line is not None:
        raise UsageError("`statement` and `line` are two addresses", "pass one; `nearLine` chooses between equal lines")
    if placed and not wanted.file:
        raise _misaddressed("`file` is missing")
    if not placed and not (wanted.function or "").strip():
        raise _misaddressed("no address says where to stop")
    if wanted.expected_content is not None and not placed:
        raise UsageError("`expectedContent` guards a `line`, not a function", "leave it out, or pass `file` and `line`")
    if wanted.line is not None and wanted.function:
        raise UsageError("`line` and `function` are two addresses", "pass one; `function` narrows a `statement`")


def _misaddressed(what: str) -> UsageError:
    hint = "pass `file` and `statement`, `file` and `line`, `function`, or `watch`"
    return UsageError(what, hint, by_line="pass `file` and `line`")


def path_of(session: Session, file: str) -> str:
    """A file as the agent named it, absolute and in its one spelling."""
    if session.adapter.names_classes and session.adapter.names_classes(file):
        return file
    cwd = session.launch.cwd if session.launch else ""
    path = files.resolve(file, cwd or str(Path.cwd()))
    files.look(path)
    return files.canonical(path)


def _line(session: Session, wanted: Wanted) -> Record:
    path = path_of(session, wanted.file)
    if session.adapter.names_classes and session.adapter.names_classes(path):
        return _class_line(wanted, path)
    known = structure(path)
    found = _resolve(known, wanted)
    line, moved = anchors.move(known, found.line)
    record = Record("", "line", file=path, line=line, content=known.file.line(line).strip())
    if line != found.line:
        record.requested_line = found.line
    shifted = anchors.shifted(known, line)
    record.warning = "; ".join(part for part in (found.warning, moved, shifted) if part)
    statement = wanted.statement if wanted.statement is not None else wanted.expected_content
    if statement is not None:
        record.anchor = Anchor(statement.strip(), wanted.near_line, wanted.function if wanted.statement else None)
        record.surroundings = anchors.surroundings(known, found.line, statement)
        if session.adapter.columns and line == found.line:
            record.column = anchors.column(known.file, line, statement)
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
    if wanted.expected_content is None:
        return found
    guarded = anchors.check_line(known, found.line, wanted.expected_content)
    return replace(found, warning="; ".join(filter(None, (found.warning, guarded.warning))))


def _function(session: Session, wanted: Wanted) -> Record:
    assert wanted.function
    name = wanted.function.strip()
    started = session.launch is not None or session.attachment is not None
    if wanted.log_message and not wanted.file:
        raise UsageError(
            "a function breakpoint takes no `logMessage`", "pass `file` too, or the `statement` of a line to log at"
        )
    record = Record("", "function", function=name)
    if address_of(record.function):
        return _instruction(session, record)
    record.function = session.adapter.function_name(name)
    if wanted.file:
        path = path_of(session, wanted.file)
        record.file = record.within = path
        known = structure(path)
        bind(record, [(path, known)], anchors.functions(known, name))
    elif started and session.adapter.function_breakpoints == "ours":
        resolve_function(session, record)
    return record


def _instruction(session: Session, record: Record) -> Record:
    """A breakpoint at a machine address."""
    main = session.main
    known = main is not None and main.initialized.is_set()
    if known and main is not None and not main.capabilities.supports_instruction_breakpoints:
        raise NotSupported(
            f"the {session.adapter.display_name} engine stops at no machine address", "name a function or a line"
        )
    return record


async def _watch(session: Session, wanted: Wanted) -> Record:
    assert wanted.watch is not None
    name, main = session.adapter.display_name, session.main
    known = main is not None and main.initialized.is_set()
    can = known and main is not None and main.capabilities.supports_data_breakpoints
    if not can and (known or session.adapter.language == "python"):
        raise NotSupported(
            f"`watch` needs data breakpoints, and the {name} ({session.adapter.language}) engine has none",
            "set a breakpoint on the statements that assign it"
            + (", or call explain_value at a stop" if session.adapter.language == "python" else ", or probe them"),
        )
    if session.state != "paused":
        raise NotSupported(
            f"a value can be watched only while the program is paused; the session is {session.state}",
            "stop at a breakpoint in that scope first, then set the watch",
        )
    return await _ask_watch(session, wanted.watch, wanted.access)


async def _ask_watch(session: Session, expression: str, access: str) -> Record:
    stop = standing(session)
    frames = await stop.connection.frames(stop, 20)
    body = await watching.identify(stop.connection, frames[0] if frames else None, expression)
    if body.data_id is None:
        raise UsageError(
            f"`{expression}` cannot be watched: {body.description}", "name a variable that lives in memory"
        )
    if body.access_types and access not in body.access_types:
        raise NotSupported(f"`{access}` cannot be watched for here", "pass one of: " + ", ".join(body.access_types))
    await watching.remember(stop.connection, frames[0].id if frames else None, expression)
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
