"""Rules over command lines."""

import pytest

from dapwright.core.errors import NotAllowed, UsageError
from dapwright.policy.approval import FREE, judge, read_rules
from dapwright.policy.permit import Permit, Request, grant
from dapwright.policy.settings import Rule


def rules(*lines):
    return tuple(Rule(*line.split(": ", 1)) for line in lines)


def request(*argv, **env):
    return Request(argv, "/w", env, "program")


def test_the_first_rule_that_matches_decides():
    own = rules("allow: python ok.py*", "deny: python *", "ask: *")
    assert judge(request("python", "ok.py", "1"), own).verdict == "allow"
    assert judge(request("python", "no.py"), own).verdict == "deny"
    assert judge(request("go", "build"), own).verdict == "ask"
    assert judge(request("go", "build"), ()) is FREE


def test_a_denied_program_is_denied_in_every_folder_and_an_allowed_one_only_in_its_own():
    own = rules("deny: rm *", "allow: make *", "ask: *")
    assert judge(request("/bin/rm", "-r", "x"), own).verdict == "deny"
    assert judge(request("/tmp/evil/make", "x"), own).verdict == "ask"


def test_a_workspace_only_tightens():
    theirs = rules("allow: *", "deny: *curl*", "ask: *")
    assert judge(request("curl"), rules("allow: *"), theirs).verdict == "deny"
    assert judge(request("make"), rules("deny: make*"), theirs).verdict == "deny"
    assert judge(request("make"), (), theirs).verdict == "ask", "its own `allow` counts for nothing"
    assert judge(request("make"), rules("ask: *"), rules("allow: *")).verdict == "ask"


def test_a_trusted_workspace_may_allow_but_never_undoes_a_denial():
    theirs = rules("allow: make *")
    assert judge(request("make", "x"), rules("ask: *"), theirs, trusted=True).verdict == "allow"
    assert judge(request("make", "x"), rules("deny: make *"), theirs, trusted=True).verdict == "deny"


def test_the_file_of_a_workspace_is_read_in_order():
    text = '[approve]\nrules = ["allow: make *"]\nallow = ["a"]\nask = ["b"]\ndeny = ["c"]\n'
    assert read_rules(text) == rules("allow: make *", "deny: c", "ask: b", "allow: a")
    assert read_rules("[adapters.x]\n") == ()


@pytest.mark.parametrize("text", ["[approve", "approve = 1", "[approve]\nrules = ['maybe: x']", "[approve]\nrules = 7"])
def test_a_file_that_cannot_be_understood_lets_nothing_start(text):
    with pytest.raises(UsageError, match="nothing is started"):
        read_rules(text)


def test_a_permit_is_for_the_very_command_folder_and_environment():
    asked = Request(("x", "--port", "77"), "/w", {"A": "1"}, "adapter", ("x", "--port", "{port}"))
    permit = grant(asked)
    assert permit.covers(("x", "--port", "77"), "/w", {"A": "1"})
    assert not permit.covers(("x", "--port", "78"), "/w", {"A": "1"})
    assert not permit.covers(("x", "--port", "77"), "/", {"A": "1"})
    assert not permit.covers(("x", "--port", "77"), "/w", {"A": "1", "LD_PRELOAD": "x"})
    assert asked.command == "x --port {port}"
    with pytest.raises(NotAllowed):
        Permit(asked, object())


def test_a_request_is_named_by_all_that_was_judged():
    keys = {
        request("a").key,
        request("a", "b").key,
        request("a", X="1").key,
        request("a", X=None).key,
        Request(("a",), "/other", {}, "program").key,
    }
    assert len(keys) == 5 and request("a").key == request("a").key
