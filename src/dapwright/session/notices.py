"""What our own plugins tell beside the protocol: whose message it is, a condition that failed, a warning."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dapwright.session.session import Session

FAILED = "the condition failed"


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
    if not said.startswith(FAILED) or "id" not in verdict:
        return
    for record in session.ledger.hit(connection, [verdict["id"]]):
        if record.message != said:
            record.message = said
            session.warnings.append(f"{record.id}: {said}")
