"""Anchors found again in files that were edited since."""

from typing import Any

from dapwright.core import anchors
from dapwright.core.errors import UsageError
from dapwright.core.ledger import Record
from dapwright.core.source import Structure
from dapwright.session.functions import bind, structure
from dapwright.session.session import Session


def resolve_again(session: Session, unchanged: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Find every anchor again in its file as it is now: what moved, and what is not there any more.

    `unchanged`: files whose old text still runs, since the engine refused the new one.
    """
    moved: list[dict[str, Any]] = []
    stale: list[dict[str, Any]] = []
    for record in session.ledger.shown():
        if unchanged and (record.within or record.file) in unchanged:
            continue
        if record.kind == "function" and record.within:
            stale += _again_function(record)
        if record.anchor is None:
            if record.kind == "line":
                _again_line(session, record)
            continue
        row = {"breakpointId": record.id, "file": record.file, "statement": record.anchor.statement}
        try:
            known = structure(record.file)
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
            if session.adapter.columns:
                record.column = anchors.column(known.file, record.line, record.anchor.statement)
            if not found.exact:
                record.warning = found.reason
                session.warnings.append(f"{record.id}: {found.reason}")
    return {"moved": moved, "stale": stale} if moved or stale else {}


def _again_line(session: Session, record: Record) -> None:
    """A line that was named by its number keeps it, and is moved where it cannot hold a breakpoint any more."""
    if session.adapter.names_classes and session.adapter.names_classes(record.file):
        return
    asked = record.requested_line or record.line
    try:
        known = structure(record.file)
        target, told = anchors.move(known, asked)
    except UsageError as refused:
        record.armed, record.message = False, str(refused)
        session.warnings.append(f"{record.id} is not armed: {refused}")
        return
    if told and target != record.line and session.addressing != "line":
        record.warning = told
        session.warnings.append(f"{record.id}: {told}")
    record.line, record.content, record.armed = target, known.file.line(target).strip(), True
    record.requested_line = asked if target != asked and session.addressing != "line" else None


def _again_function(record: Record) -> list[dict[str, Any]]:
    """Find a function again in the file that its name was narrowed to; the row of one that is gone."""
    try:
        known = structure(record.within)
        bind(record, [(record.within, known)], anchors.functions(known, record.function))
        record.stale, record.armed, record.message = False, True, ""
        return []
    except UsageError as gone:
        record.stale, record.armed, record.message = True, False, f"stale: {gone}"
        row = {"breakpointId": record.id, "file": record.within, "line": record.line}
        return [{**row, "function": record.function, "reason": str(gone)}]


def _stale(record: Record, known: Structure, reason: str) -> None:
    """Keep the record and its line; arm it only where that line still has the anchor's text."""
    assert record.anchor is not None
    asked = record.requested_line or record.line
    record.stale, record.message = True, f"stale: {reason}"
    record.armed = anchors.says(known, asked, record.anchor.statement)
    if record.armed:
        record.line, _ = anchors.move(known, asked)


def _moved(
    record: Record, known: Structure, line: int, row: dict[str, Any], moved: list[dict[str, Any]], candidates: Any
) -> None:
    was = record.requested_line or record.line
    target, told = anchors.move(known, line)
    record.stale, record.armed = False, True
    record.message = ""
    if target != record.line and (line != was or target != line):
        moved.append({**row, "from": record.line, "to": target, "candidates": _rows(candidates)})
    record.line, record.content = target, known.file.line(target).strip()
    record.requested_line = line if target != line else None
    assert record.anchor is not None
    record.surroundings = anchors.surroundings(known, line, record.anchor.statement)
    record.warning = told if was != line else record.warning


def _rows(candidates: Any) -> list[dict[str, Any]]:
    return [{"line": line, "content": text} for line, text in candidates] if len(candidates) > 1 else []
