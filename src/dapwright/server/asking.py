"""Asking the person behind the client; the stateless era does it by a retry (`retrying`)."""

from collections.abc import Mapping
from typing import Any

from dapwright.tools.caller import Reply


def can_ask(capabilities: Any) -> bool:
    """Whether a client that declares these capabilities shows forms to a person."""
    declared = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(declared, dict) and (not declared or "form" in declared)


def read_reply(result: Any) -> Reply:
    """A client's answer to a question; whatever is no clear answer is a cancellation."""
    if not isinstance(result, dict) or result.get("action") not in ("accept", "decline"):
        return Reply("cancel")
    content = result.get("content")
    return Reply(result["action"], content if isinstance(content, dict) else {})


def question(message: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of `elicitation/create`."""
    return {"message": message, "requestedSchema": schema}
