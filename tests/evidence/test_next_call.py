"""Which call a failing test's answer names next."""

from types import SimpleNamespace

import pytest

from dapwright.evidence.testing import next_call

PYTHON = SimpleNamespace(adapter=SimpleNamespace(inside=object()))


@pytest.fixture
def next_of(tmp_path):
    def told(text, line, *, function="test_sum", session=PYTHON):
        path = tmp_path / "test_a.py"
        path.write_text(text)
        frame = {"function": function, "file": str(path), "line": line, "locals": []}
        return next_call(session, {"test": "test_a.py::test_sum[1]", "userFrames": [frame]})

    return told


def test_where_the_tests_own_frame_is_left_the_trace_of_what_it_called_is_next(next_of):
    assert next_of("assert shop.total(rows) == len(rows)\n", 1).startswith('trace_calls {test, focus: ["total"]}')


def test_where_the_programs_frames_are_there_a_value_of_theirs_is_explained(next_of):
    assert next_of("return gross\n", 1, function="total").startswith("explain_value")


def test_a_block_in_which_nothing_was_raised_names_what_it_called(next_of):
    assert 'focus: ["total"]' in next_of("with pytest.raises(ValueError):\n    shop.total(rows)\n", 1)


def test_a_line_that_calls_nothing_has_all_of_the_test_traced(next_of):
    assert next_of("assert total == 4\n", 1).startswith("trace_calls {test} ")
    assert next_of("assert total == 4\n", 9).startswith("trace_calls {test} ")
