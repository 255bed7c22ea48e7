"""What a run of an evidence tool means for the gate, whenever it turns out."""

from collections.abc import Mapping
from typing import Any

from dapwright.evidence import testing
from dapwright.session import Session
from dapwright.tools.caller import Caller

ENDED = "the session is ended: the interactive debugger is switched off here"
TOO_LONG = "it ran longer than one call may take, and was not over"


async def ran(caller: Caller, session: Session, kind: str, name: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Count a `test` or a `run` by its answer, and return that; where the gate is `off`, end its session first."""
    told = dict(answer)
    if caller.sessions.gate.holds_sessions:
        if told.get("pending"):
            session.owed = (kind, name)  # it is not over: whatever call comes next learns how it ended
        else:
            session.owed = None
            count(caller, kind, name, told)
        return told
    await caller.sessions.close(session)
    if told.pop("pending", False):
        told |= {"truncated": True, "message": TOO_LONG}
    return told | {"state": "stopped", "note": "; ".join(filter(None, [told.get("note"), ENDED]))}


def count(caller: Caller, kind: str, name: str, told: Mapping[str, Any]) -> None:
    """Count a run that is over by how it ended."""
    if caller.settings.gate != "after-failures":
        return
    gate = caller.sessions.gate
    if told.get("signal"):
        gate.failed("crash", name)
    elif failed(told):
        failure = told.get("failure")
        gate.failed(kind, str((failure or {}).get("test") or name) if isinstance(failure, Mapping) else name)
    elif told.get("testPassed") or told.get("exitCode") == 0:
        gate.passed(name)


def admit(caller: Caller, hypothesis: str = "") -> None:
    """Let an interactive session begin, or refuse it with what to do first. To be called before any effect.

    Raises:
        NotAllowed: the gate is closed.
    """
    settle(caller)
    caller.sessions.gate.admit(hypothesis)


def settle(caller: Caller) -> None:
    """Count the runs that were pending when they were told of, and are over now."""
    if caller.settings.gate != "after-failures":
        return
    for session in caller.sessions:
        if session.owed is not None and session.state not in ("starting", "running"):
            (kind, name), session.owed = session.owed, None
            count(caller, kind, name, _ended(session, kind))


def _ended(session: Session, kind: str) -> dict[str, Any]:
    """How a session's run has ended, in the words of an answer."""
    session.drain()
    told: dict[str, Any] = {"exitCode": session.exit_code, "signal": session.signal}
    if session.last_stop is not None and session.state == "paused":
        told["stopReason"] = session.last_stop.reason
    if kind == "test":
        told["testPassed"] = testing.passed(session)
        told["failure"] = next((one for one in session.findings.tests if one.get("event") == "failure"), None)
    if session.findings.exceptions:
        told["exception"] = session.findings.exceptions[-1]
    return told


def failed(answer: Mapping[str, Any]) -> bool:
    """Whether a run went wrong, by what its answer says."""
    return bool(
        answer.get("failure")
        or answer.get("testPassed") is False
        or answer.get("exception")
        or answer.get("exitCode")
        or answer.get("stopReason") == "exception"
    )
