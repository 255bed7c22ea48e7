"""What our own plugins tell beside the protocol: whose message it is, a condition that failed, a warning."""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dapwright.core.ledger import Record
    from dapwright.session.session import Session

DIGITS = re.compile(r"\d+")
"""LLDB numbers what it evaluates, and says so in each error."""
FAILED = re.compile(r"the condition (?:`.*` )?failed: ", re.DOTALL)


def take(session: "Session", connection: int, name: str, body: Any) -> None:
    """Take in what an event says besides what the protocol knows of it."""
    if not isinstance(body, dict):
        return
    match name:
        case "output" if (identity := logger(body)) is not None:
            for record in session.ledger.hit(connection, [identity]):
                record.hits += 1
        case "breakpoint":
            if isinstance(verdict := body.get("breakpoint"), dict):
                _judged(session, connection, verdict)
        case "dapwrightCalls":
            session.findings.calls += body.get("events") or []
            session.findings.calls_seen = int(body.get("calls") or session.findings.calls_seen)
            session.findings.calls_dropped = int(body.get("dropped") or session.findings.calls_dropped)
        case "dapwrightNote":
            session.notes.append(str(body.get("text", "")))
        case "dapwrightWarning":
            session.warnings.append(str(body.get("text", "")))


def logger(body: dict[str, Any]) -> Any:
    """The engine's id of the breakpoint that logged an output: in its `data`, or beside it; None where none did."""
    data = body.get("data")
    return body.get("breakpointId", data.get("breakpointId") if isinstance(data, dict) else None)


def _judged(session: "Session", connection: int, verdict: dict[str, Any]) -> None:
    """A condition that fails while running is told once, on the breakpoint and in the next answer."""
    said = str(verdict.get("message") or "")
    if "id" in verdict and (found := FAILED.match(said)):
        for record in session.ledger.hit(connection, [verdict["id"]]):
            failed(session, record, said[found.end() :])


def refused(session: "Session", connection: int) -> None:
    """The same of one that the engine could not set: its answer says so as the event does."""
    for record in session.ledger:
        verdict = record.said.get(connection)
        if verdict is not None and (found := FAILED.match(verdict.message)):
            failed(session, record, verdict.message[found.end() :])


def failed(session: "Session", record: "Record", error: str) -> None:
    """A condition that failed is told once in the next answer, and on the breakpoint."""
    said = f"its condition failed: {error}"
    if DIGITS.sub("", record.message) != DIGITS.sub("", said):
        record.message = said
        name = record.probe.name if record.probe else record.id
        session.warnings.append(f"the condition `{record.condition}` of {name} failed: {error}; it did not stop there")
