"""Which names matter at a line, and what a line calls."""

from dapwright.core import mentioned

LINES = """\
def total(rows, rate):
    gross = sum(rows)
    other = 3
    due = apply(
        gross,
        rate,
    )
    assert check.near(due, want(rate)) == len(rows)
""".splitlines()


def test_a_statement_ends_where_its_brackets_close():
    assert len(mentioned.statement(LINES, 4)) == 4
    assert mentioned.statement(LINES, 3) == ["    other = 3"]


def test_a_bracket_that_never_closes_ends_it_all_the_same():
    assert len(mentioned.statement(["call("] * 40, 1)) == mentioned.LONGEST


def test_names_of_the_statement_come_before_those_above_it_and_the_nearest_line_first():
    ranks = mentioned.ranks(LINES, 4)
    assert sorted(["rows", "other", "gross", "rate"], key=ranks.__getitem__) == ["gross", "rate", "other", "rows"]
    assert "unknown" not in ranks


def test_what_a_line_calls_is_named_as_it_stands_without_what_every_program_calls():
    assert mentioned.called(LINES[7]) == ["check.near", "want"]
    assert mentioned.called("x = y") == []
