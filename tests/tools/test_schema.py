"""Types to schemas."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from dapwright.tools import About
from dapwright.tools.schema import describe, describe_output

Line = Annotated[int, msgspec.Meta(ge=1, le=9)]


class Item(msgspec.Struct, rename="camel"):
    """A nested object."""

    near_line: Annotated[Line | None, About("A line.")] = None


class Told(msgspec.Struct, rename="camel"):
    """An answer."""

    state: Literal["a", "b"]
    items: list[Item]


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (str, {"type": "string"}),
        (int | None, {"type": "integer"}),
        (Line, {"type": "integer", "minimum": 1, "maximum": 9}),
        (bool | float, {"type": ["boolean", "number"]}),
        (str | list[str], {"type": ["string", "array"], "items": {"type": "string"}}),
        (Literal["a"] | list[str], {"anyOf": [{"type": "string", "enum": ["a"]}, describe(list[str])]}),
        (dict[str, str], {"type": "object", "additionalProperties": {"type": "string"}}),
        (dict[str, str | None], {"type": "object"}),
        (dict[str, Any], {"type": "object"}),
        (Any, {}),
        (list[Item], {"type": "array", "items": describe(Item)}),
        (
            Item,
            {
                "type": "object",
                "properties": {"nearLine": {"type": "integer", "minimum": 1, "maximum": 9, "description": "A line."}},
            },
        ),
    ],
)
def test_a_type_has_the_shortest_schema(kind, schema):
    assert describe(kind) == schema


def test_an_answer_requires_success_alone_so_that_failures_fit_too():
    schema = describe_output(Told)
    assert schema["required"] == ["success"] and list(schema["properties"]) == ["success", "state", "items"]
    assert "required" not in schema["properties"]["items"]["items"]
