"""Two runs whose calls are the same, and which end otherwise."""

import pytest

from dapwright.evidence.tracing import Traced, compared


def run(code=0, *, over=True, passed=None, signal=""):
    return Traced([], 0, 0, code, "", over, passed, signal)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (run(0), run(3), {"what": "exit code", "a": 0, "b": 3}),
        (run(1, passed=True), run(1, passed=False), {"what": "test result", "a": True, "b": False}),
        (run(0), run(-6), {"what": "signal", "a": None, "b": "SIGABRT"}),
    ],
)
def test_runs_that_end_otherwise_are_not_the_same(one, other, expected):
    told = compared(one, other)
    assert told["same"] is False and told["difference"] == expected and expected["what"] in told["message"]


def test_a_run_cut_short_has_no_end_to_compare():
    assert compared(run(0), run(None, over=False))["same"] is True


def test_runs_that_end_alike_are_the_same():
    told = compared(run(2), run(2))
    assert told["same"] is True and "difference" not in told
