"""The gate before the interactive debugger: it is earned by failing runs, where the person wants it so.

The evidence tools are always open. A failure counts until its test passes, or for a day.
"""

import msgspec

from dapwright.core.errors import NotAllowed
from dapwright.policy.settings import Settings

KINDS = ("test", "tool-error", "check", "review", "run", "crash", "hypothesis")
OPENS_AT_ONCE = frozenset({"crash", "hypothesis"})
STALE_SECONDS = 86_400.0


class Failure(msgspec.Struct, frozen=True):
    """What failed, how, how often, and when last (seconds since the epoch)."""

    kind: str
    name: str
    count: int
    at: float


class State(msgspec.Struct, frozen=True):
    """What is known of a workspace."""

    failures: tuple[Failure, ...] = ()


def failed(state: State, kind: str, name: str, *, now: float) -> State:
    """Count a failure."""
    before = next((one.count for one in state.failures if (one.kind, one.name) == (kind, name)), 0)
    others = tuple(one for one in fresh(state, now) if (one.kind, one.name) != (kind, name))
    return State((*others, Failure(kind, name, before + 1, now)))


def passed(state: State, name: str, *, now: float) -> State:
    """Forget what a pass makes stale: the failures of that test, or of all in that file or folder; the hypotheses."""
    return State(tuple(one for one in fresh(state, now) if not covers(name, one.name) and one.kind != "hypothesis"))


def covers(passing: str, failing: str) -> bool:
    """Whether the test that failed is among those that passed: the same, or one of that file or folder.

    The same file is spelled in full by one and from the project's folder by another.
    """
    path, *rest = passing.replace("\\", "/").split("::")
    other, *inner = failing.replace("\\", "/").split("::")
    mine, theirs = path.strip("/").split("/"), other.strip("/").split("/")
    if inner[: len(rest)] != rest:
        return False
    short = min(len(mine), len(theirs))
    if mine[-short:] == theirs[-short:]:
        return True
    return not rest and any(theirs[at : at + len(mine)] == mine for at in range(len(theirs) - len(mine) + 1))


def fresh(state: State, now: float) -> tuple[Failure, ...]:
    """The failures that still count."""
    return tuple(one for one in state.failures if now - one.at < STALE_SECONDS)


def is_open(settings: Settings, state: State, *, now: float) -> bool:
    """Whether interactive sessions may begin."""
    if settings.gate != "after-failures":
        return settings.gate == "always"
    counting = fresh(state, now)
    return (
        any(one.kind in OPENS_AT_ONCE for one in counting)
        or sum(one.count for one in counting) >= settings.gate_failures
    )


def require_open(settings: Settings, state: State, *, now: float) -> None:
    """Refuse an interactive session, with what to do first.

    Raises:
        NotAllowed: the gate is closed.
    """
    if is_open(settings, state, now=now):
        return
    first = "call debug_test with the failing test, or investigate with probes where the value goes wrong"
    if settings.gate == "off":
        raise NotAllowed("the interactive debugger is switched off here (`DAPWRIGHT_GATE=off`)", first)
    seen = sum(one.count for one in fresh(state, now))
    raise NotAllowed(
        f"the interactive debugger opens after {settings.gate_failures} failing runs; there were {seen}",
        f"{first}; or say as `hypothesis` of start_debugging what the run is to show",
    )
