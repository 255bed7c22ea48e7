"""The life of a session.

Rule: every change of state goes through `after`, and what is allowed when is in
`ALLOWED`. Nothing else decides either.
"""

from typing import Literal

from dapwright.core.errors import WrongState

State = Literal["created", "starting", "running", "paused", "stopped", "error"]
Happening = Literal["begun", "configured", "stopped", "resumed", "ended", "failed"]

TRANSITIONS: dict[tuple[State, Happening], State] = {
    ("created", "begun"): "starting",
    ("stopped", "begun"): "starting",
    ("error", "begun"): "starting",
    ("starting", "configured"): "running",
    ("starting", "stopped"): "paused",
    ("starting", "ended"): "stopped",
    ("starting", "failed"): "error",
    ("running", "stopped"): "paused",
    ("running", "ended"): "stopped",
    ("running", "failed"): "error",
    ("paused", "resumed"): "running",
    ("paused", "ended"): "stopped",
    ("paused", "failed"): "error",
    ("created", "failed"): "error",
    ("created", "ended"): "stopped",
}
LIVE: frozenset[State] = frozenset({"created", "starting", "running", "paused"})
"""Sessions that a call without `sessionId` may mean."""

ALLOWED: dict[str, frozenset[State]] = {
    "look at variables": frozenset({"paused"}),
    "step": frozenset({"paused"}),
    "continue": frozenset({"paused"}),
    "pause": frozenset({"running", "paused"}),
    "start": frozenset({"created"}),
    "restart": frozenset({"running", "paused", "stopped", "error"}),
    "send input": frozenset({"starting", "running", "paused"}),
    "wait for a stop": frozenset({"starting", "running", "paused", "stopped", "error"}),
    "detach": frozenset({"running", "paused"}),
    "list threads": frozenset({"running", "paused"}),
    "take changed code": frozenset({"running", "paused"}),
}

NEXT: dict[State, str] = {
    "created": "start it with start_debugging",
    "starting": "call wait_for_stop until it is paused",
    "running": "call wait_for_stop or pause_execution first",
    "paused": "call continue_execution, step_over, step_into or step_out",
    "stopped": "run it again with restart_debugging, or make a new session",
    "error": "run it again with restart_debugging, or make a new session",
}


def after(state: State, happened: Happening) -> State:
    """Return the state that follows; what cannot happen in a state changes nothing."""
    return TRANSITIONS.get((state, happened), state)


def require(state: State, verb: str) -> None:
    """Refuse `verb` where the state forbids it.

    Raises:
        WrongState: with the states that allow it, and the call that leads there.
    """
    if state not in ALLOWED[verb]:
        allowed = " or ".join(sorted(ALLOWED[verb]))
        raise WrongState(f"cannot {verb}: the session is {state}, and must be {allowed}", NEXT[state])
