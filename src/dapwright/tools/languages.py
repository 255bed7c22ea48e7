"""Which languages can be debugged, and what is missing."""

from collections.abc import Mapping
from typing import Any

from dapwright import adapters
from dapwright.tools import Caller, tool


@tool(title="List languages", read_only=True, idempotent=True)
async def list_supported_languages(caller: Caller) -> Mapping[str, Any]:
    """List the languages that can be debugged here, by which engine, how, and what to install where
    something is missing. Changes nothing."""
    only = caller.sessions.settings.languages
    return {
        "available": [
            describe(caller, adapter) for adapter in adapters.every().values() if not only or adapter.language in only
        ]
    }


def describe(caller: Caller, adapter: Any) -> dict[str, Any]:
    """One language as an agent is told of it."""
    host = caller.sessions.host
    launch = mode(adapter.plan, adapter.check(host), adapter.setup)
    attach = mode(adapter.attach, adapter.check_attach(host), adapter.setup)
    return {
        "language": adapter.language,
        "displayName": adapter.display_name,
        "extensions": list(adapter.extensions),
        "engine": adapter.engine,
        "tested": adapter.tested,
        "modes": {"launch": launch, "attach": attach},
        "features": {"tests": adapter.test_command is not None, "attachBy": sorted(adapter.modes)},
    }


def mode(plan: Any, missing: str, setup: str) -> dict[str, Any]:
    """Whether a way to begin exists, and whether this machine has what it needs."""
    if plan is None:
        return {"supported": False, "available": False, "reason": "this language has no such way to begin"}
    reason = f"{missing}; install it: {setup}" if missing and setup else missing
    return {"supported": True, "available": not missing, "reason": reason}
