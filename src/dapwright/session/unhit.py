"""Why a breakpoint was never reached, as far as that can be known."""

import re
from typing import Any

from dapwright import files
from dapwright.core import unbound
from dapwright.core.ledger import Record
from dapwright.core.model import Frame
from dapwright.session import functions
from dapwright.session.session import Session

LIBRARY = re.compile(r"/(?:site|dist)-packages/|/lib(?:64)?/python\d|/node_modules/")
"""Folders of code that is not the program's own."""
UNSEEN = "bound, never hit: the line did not run"


def row(session: Session, record: Record) -> dict[str, Any]:
    """A breakpoint that was never reached, and why as far as that can be known."""
    told: dict[str, Any] = {"breakpointId": record.id, "file": record.file, "line": record.line or None}
    told |= {"function": record.function, "watch": record.watch}
    verdicts = list(record.said.values())
    if record.message:
        told["reason"] = record.message.replace("never bound so far", "never bound", 1)
    elif session.launch is not None and session.launch.just_my_code and LIBRARY.search(record.file):
        told["reason"] = (
            "never hit: this is library code, which `justMyCode` leaves out; start with `justMyCode: false`"
        )
    elif record.stale:
        told["reason"] = "its text is no longer in the file"
    elif record.kind == "function":
        known = record.places or any(verdict.verified for verdict in verdicts)
        told["reason"] = (
            f"bound, never hit: no call of `{record.function}` was seen"
            if known
            else functions.unknown(session, record.function).replace(" so far", "", 1)
        )
    elif verdicts and not any(v.verified for v in verdicts):
        said = next((v.message for v in verdicts if v.message), unbound.UNLOADED)
        more = _elsewhere(session) if said in unbound.WAITING else ""
        told["reason"] = f"never bound: {unbound.WAITING.get(said, said)}{more}"
    elif record.spans:
        told["reason"] = (
            f"{UNSEEN}; its statement goes over several lines, which this debugger may pass over: name the one after it"
        )
    elif record.condition:
        told["reason"] = f"{UNSEEN}, or `{record.condition}` was never true"
    elif record.hit_condition:
        told["reason"] = f"bound, reached {record.reached} times" if record.reached else "bound, never hit often enough"
    else:
        told["reason"] = f"{UNSEEN}{_unloaded(session, record)}{_elsewhere(session)}"
    return told


def _unloaded(session: Session, record: Record) -> str:
    """Where a debugger calls every breakpoint bound, that the file may never have been loaded."""
    program = session.launch.program if session.launch else ""
    if not session.adapter.verifies_any or not program or files.same(record.file, program):
        return ""
    return f", or the program never loaded `{record.file.rsplit('/', 1)[-1]}`"


def _elsewhere(session: Session) -> str:
    """Which processes were not looked at: it may have run in one of them."""
    if session.launch is None:
        return ""
    if not session.adapter.follows:
        return "; the processes that the program starts are not debugged"
    config = {**session.launch.config, **session.launch.extra}
    if not session.launch.children or config.get("subProcess") is False:
        return "; the processes that the program starts were not debugged, as asked"
    return f"; {session.adapter.unfollowed} is not debugged" if session.adapter.unfollowed else ""


def merged(session: Session, hits: tuple[str, ...] | list[str], top: Frame) -> str:
    """What is told where the code of several lines is one, and a debugger shows another line than was asked for."""
    records = [record for record in map(session.ledger.get, hits) if record is not None and record.kind == "line"]
    astray = [
        record
        for record in records
        if files.same(record.file, top.file) and top.line not in (record.line, *_lines(record)) and not record.spans
    ]
    if not astray:
        return ""
    asked = ", ".join(f"{record.id} (line {record.line})" for record in astray)
    return f"it stands at the code of {asked}, which the compiler has made one with line {top.line}"


def _lines(record: Record) -> set[int]:
    return {line for verdict in record.said.values() for line in (verdict.line or record.line, *verdict.lines)}
