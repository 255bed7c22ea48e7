"""Which variables of a frame come first."""

from dapwright.core.relevance import called, order, statement

TEXT = """\
def due(rows, rate, note):
    gross = sum(rows)
    net = gross * (1 - rate)
    other = len(note)
    assert check(
        net, "rows"
    ) == 4
"""
LINES = TEXT.splitlines()


def test_the_names_of_the_statement_come_first_then_what_made_them():
    assert order(["note", "other", "rate", "rows", "gross", "net"], LINES, 5) == [
        "net",
        "gross",
        "rate",
        "note",
        "other",
        "rows",
    ]


def test_a_statement_of_several_lines_is_read_to_its_end_and_texts_are_no_names():
    assert len(statement(LINES, 5)) == 3 and len(statement(LINES, 2)) == 1


def test_a_line_that_is_not_there_leaves_the_order():
    assert order(["b", "a"], LINES, 99) == ["b", "a"] == order(["b", "a"], [], 1)


def test_an_assignment_in_another_language_counts():
    lines = ["int total = price * count;", "let x = 3", "return total;"]
    assert order(["x", "count", "price", "total"], lines, 3) == ["total", "price", "count", "x"]


def test_of_a_raise_the_condition_above_it_says_what_matters():
    lines = ["if due < least:", '    raise ValueError("too little")']
    assert order(["amount", "due", "least"], lines, 2) == ["due", "least", "amount"]


def test_what_a_line_calls_is_named_as_it_stands_without_what_every_program_calls():
    assert called("    assert check.near(due, want(rate)) == len(rows)") == ["check.near", "want"]
    assert called("x = y") == [] and called("x = 'no(thing)'") == []
