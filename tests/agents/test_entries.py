"""An entry added to a configuration's text, and nothing else of it touched."""

import json
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dapwright.agents.entries import Taken, Unreadable, add_to_json, add_to_toml

ENTRY = {"command": '/opt/it\'s "here"/dapwright', "args": ["serve"]}
PLAIN = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20)
SERVERS = st.dictionaries(PLAIN.filter(lambda name: name != "dapwright"), st.fixed_dictionaries({"command": PLAIN}))


def test_an_empty_file_becomes_one_with_the_entry_alone():
    assert json.loads(add_to_json("", "mcpServers", ENTRY)) == {"mcpServers": {"dapwright": ENTRY}}
    assert tomllib.loads(add_to_toml("", "mcp_servers", ENTRY)) == {"mcp_servers": {"dapwright": ENTRY}}


@settings(deadline=None)
@given(SERVERS, st.dictionaries(PLAIN.filter(lambda name: name != "mcpServers"), PLAIN))
def test_other_entries_stay_and_a_second_time_changes_nothing(servers, rest):
    before = {**rest, "mcpServers": servers}
    once = add_to_json(json.dumps(before), "mcpServers", ENTRY)
    assert json.loads(once) == {**rest, "mcpServers": {**servers, "dapwright": ENTRY}}
    assert add_to_json(once, "mcpServers", ENTRY) == once


def test_the_indentation_stays():
    assert '\n\t"servers"' in add_to_json('{\n\t"inputs": []\n}', "servers", ENTRY)


@pytest.mark.parametrize("add", [add_to_json, add_to_toml])
def test_another_entry_of_our_name_is_refused(add):
    text = add("", "mcp_servers", {"command": "other"})
    with pytest.raises(Taken):
        add(text, "mcp_servers", ENTRY)


@pytest.mark.parametrize("text", ['{"a": 1, // why\n}', "[]", '{"servers": []}', '{"a": 1, "a": 2}', "\ufeff{}"])
def test_what_would_lose_something_is_refused(text):
    with pytest.raises(Unreadable):
        add_to_json(text, "servers", ENTRY)


def test_toml_keeps_comments_and_every_other_line():
    text = '# mine\nmodel = "x"  # this one\n\n[mcp_servers.other]\ncommand = "o"'
    added = add_to_toml(text, "mcp_servers", ENTRY)
    assert added.startswith(text) and tomllib.loads(added)["mcp_servers"] == {
        "other": {"command": "o"},
        "dapwright": ENTRY,
    }
    assert add_to_toml(added, "mcp_servers", ENTRY) == added


@pytest.mark.parametrize("text", ["= nonsense", 'mcp_servers = { other = { command = "o" } }', "mcp_servers = 3"])
def test_toml_that_takes_no_table_is_refused(text):
    with pytest.raises(Unreadable):
        add_to_toml(text, "mcp_servers", ENTRY)
