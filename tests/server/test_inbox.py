"""Bytes to lines, however they are cut."""

from hypothesis import given
from hypothesis import strategies as st

from dapwright.server.inbox import Lines

LINES = st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line and line), max_size=8)


@given(LINES, st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_lines_come_out_whole_however_the_bytes_are_cut(wanted, sizes):
    data, lines, found, n = b"".join(line + b"\n" for line in wanted) + b"rest", Lines(), [], 0
    while data:
        size = sizes[n % len(sizes)]
        found += lines.feed(data[:size])
        data, n = data[size:], n + 1
    assert found == wanted and lines.rest() == b"rest"


def test_a_line_beyond_all_measure_is_told_as_none_and_the_next_is_whole():
    lines = Lines(longest=10)
    assert list(lines.feed(b"x" * 8)) == [] and list(lines.feed(b"y" * 8)) == []
    assert list(lines.feed(b"z\nok\n" + b"w" * 11)) == [None, b"ok"]
    assert lines.rest() == b""


def test_blank_lines_are_nothing():
    assert list(Lines().feed(b"\n\na\n\n")) == [b"a"]
