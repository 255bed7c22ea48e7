"""Redaction, read with the first answer that is made, so that start-up does not pay for it."""

from typing import Any

from dapwright.policy.settings import Settings


def redact_structure(settings: Settings, value: Any) -> Any:
    """Hide the secrets in a JSON value, unless the settings say not to."""
    if not settings.redact:
        return value
    from dapwright.core import redact

    return redact.structure(value)


def redact_text(settings: Settings, text: str) -> str:
    """Hide the secrets in a text, unless the settings say not to."""
    if not settings.redact:
        return text
    from dapwright.core import redact

    return redact.text(text)
