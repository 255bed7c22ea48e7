"""Schemas and tool lists, as a client reads them."""

import json

import pytest
from jsonschema import Draft202012Validator

from dapwright.policy.settings import Settings
from dapwright.tools import UnknownTool, find, listed
from dapwright.tools.registry import REGISTERED


def names(**settings):
    return [one["name"] for one in listed(Settings(**settings))]


def test_names_on_the_wire_are_camel_case_in_the_order_of_the_signature():
    schema = REGISTERED["set_breakpoint"].input_schema("content")
    assert list(schema["properties"]) == ["sessionId", "file", "line", "statement", "nearLine", "condition"]


def test_schemas_are_valid_and_hold_no_null_and_no_reference():
    for arm in ("content", "assert", "line"):
        for one in REGISTERED.values():
            schema = one.input_schema(arm)
            Draft202012Validator.check_schema(schema)
            text = json.dumps(schema)
            assert not any(word in text for word in ('"null"', ": null", "$ref", "$defs"))


def test_a_default_is_told_only_where_it_says_something():
    properties = REGISTERED["start"].input_schema("content")["properties"]
    assert properties["wait"]["default"] == 5.0 and properties["wait"]["type"] == ["boolean", "number"]
    assert "default" not in properties["stopOnEntry"] and "default" not in properties["env"]


def test_nested_objects_stand_inline_and_a_terse_one_has_types_only():
    item = REGISTERED["start"].input_schema("content")["properties"]["breakpoints"]["items"]
    assert item["properties"]["nearLine"] == {"type": "integer", "minimum": 1}


def test_the_line_mode_has_no_trace_of_the_rest():
    told = REGISTERED["set_breakpoint"].on_wire("line")
    assert told["inputSchema"]["required"] == ["sessionId", "file", "line"]
    assert told["description"] == "Stop at a line."
    start = REGISTERED["start"].on_wire("line")
    assert start["inputSchema"]["properties"]["breakpoints"]["items"]["required"] == ["file", "line"]
    assert "nearLine" not in json.dumps([told, start]) and "statement" not in json.dumps([told, start])


def test_a_description_is_the_docstring_reflowed():
    assert REGISTERED["set_breakpoint"].about("content") == (
        "Stop the program at a statement.\nWorks in every state; answers the bound line."
    )


def test_annotations_say_what_a_tool_does():
    told = REGISTERED["start"].on_wire("content")["annotations"]
    assert told["destructiveHint"] and told["openWorldHint"] and not told["readOnlyHint"]


@pytest.mark.parametrize(
    ("toolset", "shown"),
    [
        ("core", ["set_breakpoint", "start"]),
        ("focused", ["set_breakpoint"]),
        ("native", ["set_breakpoint", "start", "native_only"]),
        ("all", ["set_breakpoint", "start", "native_only"]),
    ],
)
def test_a_toolset_chooses_the_list_and_unlisted_names_stay_out(toolset, shown):
    assert names(toolset=toolset) == shown


def test_an_unlisted_name_is_found_and_an_unknown_one_tells_the_nearest():
    assert find("old_name").listed is False
    with pytest.raises(UnknownTool) as raised:
        find("set_breakpont")
    assert "set_breakpoint" in raised.value.hint
