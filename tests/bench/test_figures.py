"""The figures of the bench: medians, ratios, limits, and the raw driver itself."""

import sys

import pytest
import raw_debugpy
from memory import megabytes, tree
from places import line_of
from versus_peer import CASES, PROGRAMS, medians, show, verdict


def test_the_median_leaves_out_what_is_unknown():
    assert medians([{"a": 1.0, "b": None}, {"a": 5.0, "b": None}, {"a": 2.0}]) == {"a": 2.0, "b": None}


def test_a_ratio_over_its_limit_is_told():
    assert verdict("step ms", 5.0, [(0.2, 0.1), (None, None)]) == "OVER 0.20 > 0.1"
    assert verdict("step ms", 5.0, [(0.05, 0.1), (None, None)]) == "ok"
    assert verdict("close ms", 5.0, [(9.0, None), (None, None)]) == ""


def test_our_own_limits_hold_without_a_peer():
    assert verdict("ready ms", 300.0, [(None, 0.5), (None, None)]) == "OVER 300 > 250"


def test_a_broken_limit_fails_the_table(capsys):
    case = CASES["python"]
    peer = {"step ms": 100.0, "locals ms": 700.0}
    assert show(case, {"dapwright": {"step ms": 2.0, "locals ms": 2.0}, "peer": peer})
    assert not show(case, {"dapwright": {"step ms": 50.0, "locals ms": 2.0}, "peer": peer})
    assert "OVER 0.50 > 0.1" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_is_that_of_the_whole_tree():
    import os

    assert os.getpid() in tree(os.getpid())
    assert 5 < megabytes(os.getpid()) < 2000


@pytest.mark.live
def test_debugpy_is_measured_raw(tmp_path):
    program = tmp_path / "orders.py"
    program.write_text((PROGRAMS / "orders.py").read_text())
    figures = raw_debugpy.measure(program, line_of(program, CASES["python"].statement))
    assert {"create to first stop ms", "locals ms", "evaluate ms", "stack ms", "step ms", "close ms"} <= set(figures)
    assert all(value > 0 for value in figures.values() if value is not None)
