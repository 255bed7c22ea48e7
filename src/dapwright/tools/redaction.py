"""The seam to redaction: imported when the first answer is made, so that start-up does not pay for it."""

from importlib import import_module
from typing import Any

from dapwright.policy.settings import Settings


def redact_structure(settings: Settings, value: Any) -> Any:
    """Hide the secrets in a JSON value, unless the settings say not to."""
    module = _module() if settings.redact else None
    return value if module is None else module.structure(value)


def redact_text(settings: Settings, text: str) -> str:
    """Hide the secrets in a text, unless the settings say not to."""
    module = _module() if settings.redact else None
    return text if module is None else str(module.text(text))


def _module() -> Any:
    try:
        return import_module("dapwright.core.redact")
    except ModuleNotFoundError as missing:
        if missing.name != "dapwright.core.redact":
            raise
        return None
