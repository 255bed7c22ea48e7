"""Where a value comes from as text: a link a line, the last write first."""

from collections.abc import Iterator, Mapping
from typing import Any

from dapwright.core.clipping import clip
from dapwright.core.model import Safe
from dapwright.core.written import TEXT_LIMIT

VALUE = 120


def value_text(answer: Mapping[str, Any], limit: int = TEXT_LIMIT) -> Safe:
    """Write the answer of explain_value."""
    return clip("\n".join(_lines(answer)), limit)


def _lines(answer: Mapping[str, Any]) -> Iterator[str]:
    yield f"{answer.get('expression')} = {_flat(answer.get('value'))}"
    yield f"way: {answer.get('way')}"
    if isinstance(answer.get("lastWrite"), Mapping):
        yield f"last write: {_link(answer['lastWrite'])}"
    for link in answer.get("chain") or ():
        yield f"  from there: {_link(link)}"
    for row in answer.get("candidates") or ():
        yield f"candidate: {_place(row)}: {row.get('statement')}"
    for said in answer.get("unknown") or ():
        yield f"unknown: {said}"
    for key in ("note", "message", "next"):
        if answer.get(key):
            yield f"{key}: {answer[key]}"


def _link(link: Mapping[str, Any]) -> str:
    said = str(link.get("target"))
    if link.get("how") in ("argument", "returned"):
        said += " was handed" if link["how"] == "argument" else " returned"
        said += f" {_flat(link['became'])}" if "became" in link else " a value"
    elif "became" in link:
        said += f" became {_flat(link['became'])}"
    if "was" in link:
        said += f", was {_flat(link['was'])}"
    said += f", {_place(link)}: {link.get('statement')}"
    values = " ".join(f"{name}={_flat(value)}" for name, value in (link.get("from") or {}).items())
    return said + (f", from {values}" if values else "") + _passes(link)


def _passes(link: Mapping[str, Any]) -> str:
    return f" (it ran {link['passesBefore']} times before)" if link.get("passesBefore") else ""


def _place(row: Mapping[str, Any]) -> str:
    file = f"{row['file']}:" if row.get("file") else "line "
    return f"{file}{row.get('line')} in {row.get('function')}"


def _flat(value: Any) -> str:
    return clip(str(value).replace("\n", "␊"), VALUE)
