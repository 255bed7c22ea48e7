"""Python annotations -> JSON schemas that a model reads: inline, described, without nulls."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from dapwright.tools.about import Field, bare, is_struct, members, struct_fields, struct_required, visible

SCALARS: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
LIMITS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}


def _limits(kind: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if get_origin(kind) is Annotated:
        for mark in get_args(kind)[1:]:
            if isinstance(mark, msgspec.Meta):
                found |= {word: getattr(mark, key) for key, word in LIMITS.items() if getattr(mark, key) is not None}
                if mark.min_length is not None:
                    container = get_origin(bare(kind)) or bare(kind)
                    found["minLength" if container is str else "minItems"] = mark.min_length
    return found


def _union(options: Iterable[Any], arm: str, terse: bool) -> dict[str, Any]:
    """Several types: one list of names where they do not contradict each other, else `anyOf`."""
    schemas = [describe(one, arm=arm, terse=terse) for one in options]
    keys = [key for schema in schemas for key in schema if key != "type"]
    mergeable = all("type" in schema and "enum" not in schema for schema in schemas) and len(keys) == len(set(keys))
    if not mergeable:
        return {"anyOf": schemas}
    merged: dict[str, Any] = {"type": [schema["type"] for schema in schemas]}
    for schema in schemas:
        merged |= {key: value for key, value in schema.items() if key != "type"}
    return merged


def describe(kind: Any, *, arm: str = "content", terse: bool = False) -> dict[str, Any]:
    """The JSON schema of a type. `terse` leaves the descriptions within out."""
    if len(options := members(bare(kind))) > 1:
        return _union(options, arm, terse)
    limits, plain = _limits(kind), bare(options[0])
    if options[0] is not bare(kind):
        limits |= _limits(options[0])
    if plain in SCALARS:
        return {"type": SCALARS[plain], **limits}
    if is_struct(plain):
        fields = visible(struct_fields(plain), arm)
        return describe_object(fields, struct_required(plain, arm), arm=arm, terse=terse)
    origin, arguments = get_origin(plain) or plain, get_args(plain)
    if origin is Literal:
        return {"type": SCALARS[type(arguments[0])], "enum": list(arguments)}
    if origin in (list, tuple, set, frozenset):
        items = describe(arguments[0], arm=arm, terse=terse) if arguments else {}
        return {"type": "array", **({"items": items} if items else {}), **limits}
    if origin is dict or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return {"type": "object", **_values(arguments, arm, terse), **limits}
    return {}


def _values(arguments: tuple[Any, ...], arm: str, terse: bool) -> dict[str, Any]:
    """What a mapping holds; values that may be null are left open, for a schema never says null."""
    if len(arguments) < 2 or arguments[1] is Any or type(None) in get_args(arguments[1]):
        return {}
    return {"additionalProperties": describe(arguments[1], arm=arm, terse=terse)}


def describe_field(field: Field, *, arm: str, terse: bool = False) -> dict[str, Any]:
    """The schema of one argument: its type, its default where that tells something, its description."""
    schema = describe(field.kind, arm=arm, terse=terse or field.about.terse)
    if not field.required and type(field.default) in (str, int, float, bool) and field.default:
        schema["default"] = field.default
    if field.about.text and not terse:
        schema["description"] = field.about.text if arm == "content" else field.about.by_line
    return schema


def describe_object(
    fields: tuple[Field, ...], required: tuple[str, ...], *, arm: str, terse: bool = False
) -> dict[str, Any]:
    """The schema of an object: properties as defined, the required ones in the order given."""
    wires = {field.name: field.wire for field in fields}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field.wire: describe_field(field, arm=arm, terse=terse) for field in fields},
    }
    if needed := [wires[name] for name in required if name in wires]:
        schema["required"] = needed
    return schema


def describe_output(kind: Any) -> dict[str, Any]:
    """The schema of an answer, from a Struct or ready made; only `success` is required.

    Clients check failures against it too, and a failure has none of the other fields.
    """
    if isinstance(kind, Mapping):
        return dict(kind)
    schema = describe(kind)
    schema["properties"] = {"success": {"type": "boolean"}, **schema["properties"]}
    schema["required"] = ["success"]
    return _only_open(schema)


def _only_open(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave the requirements of nested objects out: what is unknown is left out of an answer."""
    for part in schema.get("properties", {}).values():
        for one in (part, part.get("items", {})):
            one.pop("required", None)
            _only_open(one)
    return schema
