"""The gate before the interactive debugger."""

import pytest

from dapwright.core.errors import NotAllowed
from dapwright.policy.gate import STALE_SECONDS, State, covers, failed, is_open, passed, require_open
from dapwright.policy.settings import Settings

AFTER_TWO = Settings(gate="after-failures", gate_failures=2)


def after(*names, kind="test"):
    state = State()
    for name in names:
        state = failed(state, kind, name, now=0)
    return state


def test_it_stands_open_by_default_and_stays_shut_when_off():
    assert is_open(Settings(), State(), now=0)
    assert not is_open(Settings(gate="off"), after("a", "b", kind="crash"), now=0)


def test_it_opens_after_so_many_failures_of_one_test_or_several():
    assert not is_open(AFTER_TWO, after("a"), now=0)
    assert is_open(AFTER_TWO, after("a", "a"), now=0) and is_open(AFTER_TWO, after("a", "b"), now=0)


def test_a_pass_makes_the_failures_of_that_test_stale():
    assert not is_open(AFTER_TWO, passed(after("a", "a"), "a", now=0), now=0)
    assert is_open(AFTER_TWO, passed(after("a", "b", "b"), "a", now=0), now=0)


def test_a_day_makes_failures_stale():
    assert not is_open(AFTER_TWO, after("a", "a"), now=STALE_SECONDS + 1)


@pytest.mark.parametrize("kind", ["crash", "hypothesis"])
def test_a_crash_and_a_hypothesis_open_at_once(kind):
    assert is_open(AFTER_TWO, after("x", kind=kind), now=0)


def test_a_refusal_says_what_to_do_first():
    with pytest.raises(NotAllowed, match="there were 1") as refused:
        require_open(AFTER_TWO, after("a"), now=0)
    assert "debug_test" in refused.value.hint and "investigate" in refused.value.hint
    with pytest.raises(NotAllowed, match="switched off") as off:
        require_open(Settings(gate="off"), State(), now=0)
    assert "hypothesis" not in off.value.hint


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        ("t.py::test_a", "t.py::test_a"),
        ("/w/tests/t.py::test_a", "tests/t.py::test_a"),
        ("tests/t.py", "/w/tests/t.py::test_a"),
        ("tests", "tests/deep/t.py::Cls::test_a"),
        ("/w/tests", "/w/tests/t.py"),
        ("t.py::Cls", "t.py::Cls::test_a"),
        ("tests\\t.py", "C:\\w\\tests\\t.py::test_a"),
    ],
)
def test_a_pass_covers_the_test_the_file_and_the_folder(passing, failing):
    assert covers(passing, failing)


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        ("t.py::test_a", "t.py::test_b"),
        ("t.py::test_a", "t.py"),
        ("t.py", "other_t.py"),
        ("a/t.py", "b/t.py::test_a"),
        ("tests", "src/t.py::test_a"),
    ],
)
def test_a_pass_says_nothing_of_other_tests(passing, failing):
    assert not covers(passing, failing)
