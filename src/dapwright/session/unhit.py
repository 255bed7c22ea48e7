"""Why a breakpoint was never reached, as far as that can be known."""

import re
from typing import Any

from dapwright.core.ledger import Record
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
        said = next((v.message for v in verdicts if v.message), "")
        told["reason"] = "never bound" + (f": {said}" if said else ": the program did not load this file")
    elif record.spans:
        told["reason"] = (
            f"{UNSEEN}; its statement goes over several lines, which this debugger may pass over: name the one after it"
        )
    elif record.condition:
        told["reason"] = f"{UNSEEN}, or `{record.condition}` was never true"
    elif record.hit_condition:
        told["reason"] = f"bound, reached {record.reached} times" if record.reached else "bound, never hit often enough"
    else:
        other = session.launch is not None and session.launch.program and record.file != session.launch.program
        loaded = f", or the program never loaded `{record.file.rsplit('/', 1)[-1]}`" if other else ""
        told["reason"] = f"{UNSEEN}{loaded}"
    return told
