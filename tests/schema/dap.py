"""Every message we send, checked against the official schema of the Debug Adapter Protocol.

The schema is the one that debugpy carries (it generates its own types from it), so nothing is copied
and it is as new as the debugpy installed. It knows no request or field that came later.
"""

import functools
import json
from collections.abc import Collection, Iterator, Mapping
from importlib.resources import files
from typing import Any

from jsonschema import Draft4Validator

PLACE = "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"
OPEN = {"LaunchRequest", "AttachRequest"}
"""Whose arguments belong to the adapter: any field may stand there."""


@functools.cache
def schema() -> dict[str, Any]:
    """Return the official schema, as debugpy carries it."""
    return json.loads(files("debugpy").joinpath(PLACE).read_text(encoding="utf-8"))


@functools.cache
def by_name() -> dict[tuple[str, str], str]:
    """Return the definition's name of each (kind, command or event): ("event", "stopped") is StoppedEvent."""
    found: dict[tuple[str, str], str] = {}
    for name, definition in schema()["definitions"].items():
        for part in definition.get("allOf", ()):
            for key, kind in (("command", "request"), ("event", "event")):
                for word in part.get("properties", {}).get(key, {}).get("enum", ()):
                    found[kind, word] = name
                    answer = name.removesuffix("Request") + "Response"
                    if kind == "request" and answer in schema()["definitions"]:
                        found["response", word] = answer
    return found


@functools.cache
def checker(definition: str) -> Draft4Validator:
    return Draft4Validator({"$ref": f"#/definitions/{definition}", "definitions": schema()["definitions"]})


def definition_of(message: Mapping[str, Any], extra: Collection[str]) -> str | None:
    """Return the name of the definition that `message` must fit, or None where the protocol has none."""
    kind = message.get("type")
    if kind == "response" and message.get("success") is False:
        return "ErrorResponse" if "body" in message else "Response"
    word = str(message.get("event" if kind == "event" else "command"))
    if word in extra and kind in ("request", "response", "event"):
        return str(kind).title()
    return by_name().get((str(kind), word))


def faults(message: Mapping[str, Any], extra: Collection[str] = ()) -> list[str]:
    """Return what is wrong with a request, response or event; empty where nothing is.

    `extra` names commands, events and fields of our own that the protocol lacks on purpose.
    """
    name = definition_of(message, extra)
    if name is None:
        return [f"the protocol has no {message.get('type')} `{message.get('event') or message.get('command')}`"]
    wrong = [f"{error.json_path}: {error.message}" for error in checker(name).iter_errors(message)]
    # Some clients refuse a failed response without a body, though only its `message` matters; the base allows it.
    known = set() if name in OPEN else set(strangers(message, {"$ref": f"#/definitions/{name}"}, "$"))
    return wrong + sorted(
        f"{path}: the protocol has no such field" for path in known if path.split(".")[-1] not in extra
    )


def validate(message: Mapping[str, Any], extra: Collection[str] = ()) -> None:
    """Fail the test where `message` is not what the protocol says; see `faults`."""
    wrong = faults(message, extra)
    assert not wrong, f"{json.dumps(message, default=str)[:400]}\n  " + "\n  ".join(wrong)


def strangers(value: Any, shape: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield the paths of fields that `shape` does not name; an object without named fields is open."""
    if isinstance(value, list):
        for item in value:
            yield from strangers(item, shape.get("items", {}), path)
    if not isinstance(value, dict):
        return
    fields, is_open = fields_of(shape)
    for key, inner in value.items():
        if key in fields:
            yield from strangers(inner, resolved(fields[key]), f"{path}.{key}")
        elif fields and not is_open:
            yield f"{path}.{key}"


def resolved(shape: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in shape:
        shape = schema()["definitions"][shape["$ref"].rpartition("/")[2]]
    return shape


def fields_of(shape: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the fields that `shape` and all it is made of name, and whether others may stand there too."""
    shape = resolved(shape)
    fields, is_open = dict(shape.get("properties", {})), bool(shape.get("additionalProperties"))
    for part in shape.get("allOf", ()):
        more, part_open = fields_of(part)
        fields |= more
        is_open = is_open or part_open
    return fields, is_open
