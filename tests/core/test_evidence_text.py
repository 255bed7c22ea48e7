"""A failing test as text: which call it names next."""

from dapwright.core.evidence_text import test_text as written

FRAME = {"function": "test_sum", "file": "/w/test_a.py", "line": 3, "locals": []}
STOP = {
    "state": "paused",
    "source": "  2 |     shop = load()\n> 3 |     assert shop.total(rows) == len(rows)",
    "rerun": ["python", "-m", "pytest", "test_a.py::test_sum"],
}


def last_line(frames, **more):
    failure = {"test": "test_a.py::test_sum", "type": "AssertionError", "userFrames": frames}
    return written({**STOP, "failure": failure, **more}).splitlines()[-1]


def test_where_the_tests_own_frame_is_left_the_trace_of_what_it_called_is_next():
    assert last_line([FRAME]).startswith('next: trace_calls {test, focus: ["total"]}')


def test_where_the_programs_frames_are_there_a_look_at_them_is_next():
    assert last_line([{**FRAME, "function": "total"}, FRAME]).startswith("next: evaluate_expression")


def test_a_block_in_which_nothing_was_raised_names_what_it_called():
    source = "> 3 |     with pytest.raises(ValueError):\n  4 |         shop.total(rows)"
    assert 'focus: ["total"]' in last_line([FRAME], source=source)


def test_a_line_that_calls_nothing_and_a_runner_without_a_tracer_name_no_trace():
    assert last_line([FRAME], source="> 3 |     assert total == 4").startswith("next: evaluate_expression")
    assert last_line([FRAME], rerun=["cargo", "test"]).startswith("next: evaluate_expression")
