"""Which workspace a call is for."""

import pytest

from dapwright.core.errors import UsageError
from dapwright.policy.routing import Workspace, choose, paths_of

RED, BLUE = Workspace("/w/red", "r-", named=True), Workspace("/w/blue", "b-", named=True)
DEEP = Workspace("/w/red/deep", "d-", named=True)


def test_the_deepest_folder_wins():
    assert choose([RED, DEEP, BLUE], paths=["/w/red/deep/x.py"]) is DEEP
    assert choose([RED, DEEP, BLUE], paths=["/w/red/x.py"]) is RED
    assert choose([RED, DEEP, BLUE], paths=["/elsewhere/x.py", "/w/blue"]) is BLUE


def test_a_folder_whose_name_only_begins_alike_is_another():
    with pytest.raises(UsageError, match="/w/red"):
        choose([RED, BLUE], paths=["/w/redder/x.py"])


def test_a_session_is_served_where_it_is_whatever_path_is_named():
    assert choose([RED, BLUE], session_id="b-s1", paths=["/w/red/x.py"]) is BLUE


def test_what_matches_nothing_lists_the_workspaces():
    with pytest.raises(UsageError, match="`/w/red`, `/w/blue`"):
        choose([RED, BLUE], paths=["/etc/passwd"])
    with pytest.raises(UsageError, match="no open workspace has a session `x-s1`"):
        choose([RED, BLUE], session_id="x-s1")
    assert choose([RED, BLUE]) is None


def test_two_servers_of_one_folder_are_told_apart_by_session_alone():
    twin = Workspace("/w/red", "t-", named=True)
    with pytest.raises(UsageError, match="2 servers"):
        choose([RED, twin], paths=["/w/red/x.py"])
    assert choose([RED, twin], session_id="t-s1") is twin


def test_a_lone_server_of_no_named_folder_takes_everything():
    lone = Workspace("/w/red", "r-")
    assert choose([lone], paths=["/etc/x.py"]) is lone and choose([lone]) is lone
    with pytest.raises(UsageError):
        choose([RED], paths=["/etc/x.py"])


def test_paths_are_found_wherever_they_stand():
    call = {
        "scriptPath": "/a.py",
        "breakpoints": [{"file": "/b.py", "line": 1}],
        "args": ["/no"],
        "test": "/c.py::t[/x]",
    }
    assert list(paths_of(call)) == ["/a.py", "/b.py", "/c.py"]
