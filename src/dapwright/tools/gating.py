"""What a run of an evidence tool means for the gate."""

from collections.abc import Mapping
from typing import Any

from dapwright.session import Session
from dapwright.tools.caller import Caller

ENDED = "the session is ended: the interactive debugger is switched off here"


async def ran(caller: Caller, session: Session, kind: str, name: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Count a `test` or a `run` by its answer, and return that; where the gate is `off`, end its session first."""
    told = dict(answer)
    if told.get("pending"):
        return told  # it is not over: the call that goes on with it tells how it ended
    gate = caller.sessions.gate
    if caller.settings.gate == "after-failures":
        if told.get("signal"):
            gate.failed("crash", name)
        elif failed(told):
            gate.failed(kind, name)
        elif told.get("testPassed") or told.get("exitCode") == 0:
            gate.passed(name)
    if not gate.holds_sessions:
        await caller.sessions.close(session)
        told |= {"state": "stopped", "note": "; ".join(filter(None, [told.get("note"), ENDED]))}
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
