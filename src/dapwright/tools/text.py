"""The text form of an answer that has no renderer of its own: short lines for a reader who pays by the token."""

from collections.abc import Iterator, Mapping
from typing import Any

SILENT = frozenset({"success"})
"""Said by the answer being there."""


def render_text(answer: Mapping[str, Any]) -> str:
    """`key: value` lines, nested ones indented; a list of small things on one line each."""
    lines = list(_lines({key: value for key, value in answer.items() if key not in SILENT}, ""))
    return "\n".join(lines) or "done"


def render_failure(failure: Mapping[str, Any]) -> str:
    """The whole of a failure as text: some clients drop the structured part of an error."""
    head = f"error ({failure['code']}): {failure['error']}"
    hint = f"\nhint: {failure['hint']}" if failure.get("hint") else ""
    rest = {key: value for key, value in failure.items() if key not in ("success", "code", "error", "hint")}
    return head + hint + ("\n" + render_text(rest) if rest else "")


def _lines(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, one in value.items():
        yield from _entry(str(key), one, indent)


def _entry(key: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        flat = _flat(value)
        if flat is not None:
            yield f"{indent}{key}: {flat}"
            return
        yield f"{indent}{key}:"
        yield from _lines(value, indent + " ")
    elif isinstance(value, list):
        yield from _list(key, value, indent)
    else:
        yield from _scalar(key, value, indent)


def _list(key: str, value: list[Any], indent: str) -> Iterator[str]:
    if not value:
        yield f"{indent}{key}: none"
        return
    if all(not isinstance(one, (Mapping, list)) for one in value):
        yield f"{indent}{key}: {', '.join(_word(one) for one in value)}"
        return
    yield f"{indent}{key}:"
    for one in value:
        flat = _flat(one) if isinstance(one, Mapping) else None
        if flat is not None:
            yield f"{indent} - {flat}"
        elif isinstance(one, Mapping):
            inner = list(_lines(one, indent + "   "))
            yield f"{indent} - {inner[0].strip()}" if inner else f"{indent} -"
            yield from inner[1:]
        else:
            yield f"{indent} - {_word(one)}"


def _scalar(key: str, value: Any, indent: str) -> Iterator[str]:
    text = _word(value)
    if "\n" not in text:
        yield f"{indent}{key}: {text}"
        return
    yield f"{indent}{key}:"
    for line in text.rstrip("\n").split("\n"):
        yield f"{indent}  {line}"


def _flat(value: Mapping[str, Any]) -> str | None:
    """A small object on one line; None where it nests or holds long text."""
    if any(isinstance(one, (Mapping, list)) for one in value.values()):
        return None
    words = [f"{key}={_word(one)}" for key, one in value.items()]
    text = " ".join(words)
    return text if "\n" not in text and len(text) <= 200 else None


def _word(value: Any) -> str:
    if value is True or value is False:
        return "yes" if value else "no"
    return str(value)
