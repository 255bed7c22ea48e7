"""What the audit trail tells of a call: its arguments without secrets, how it ended, how long it took."""

import time
from collections.abc import Mapping
from typing import Any

from dapwright.policy.settings import Settings
from dapwright.session import trail
from dapwright.tools.plain import clean
from dapwright.tools.redaction import redact_structure

LONGEST = 2000
"""Characters of one argument."""
NEVER = {"send_input": ("text",)}
"""Arguments that are what a person would type: their length alone is told."""


def begun() -> float:
    """The moment that a call begins at, for `row`."""
    return time.time() * 1000


def row(settings: Settings, tool: str, arguments: Any, *, began: float, outcome: str) -> dict[str, Any]:
    """The row of a call: `{time, tool, arguments, outcome, ms}`; `outcome` is `ok` or an error's code."""
    return {
        "time": trail.timestamp(began),
        "tool": tool,
        "arguments": _shown(settings, tool, arguments),
        "outcome": outcome,
        "ms": round(time.time() * 1000 - began),
    }


def _shown(settings: Settings, tool: str, arguments: Any) -> Any:
    if not isinstance(arguments, Mapping):
        return {}
    hidden = NEVER.get(tool, ())
    given = {str(k): f"<{len(str(v))} characters>" if k in hidden else v for k, v in arguments.items()}
    return _clipped(redact_structure(settings, given))


def _clipped(value: Any) -> Any:
    match value:
        case str():
            return clean(value if len(value) <= LONGEST else value[:LONGEST] + "...")
        case Mapping():
            return {clean(str(key)): _clipped(item) for key, item in value.items()}
        case list() | tuple():
            return [_clipped(item) for item in value[:100]]
    return value
