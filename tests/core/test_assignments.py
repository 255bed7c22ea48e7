"""The statements that give a value, by the syntax trees."""

import pytest

from dapwright.core.assignments import meaning, place_of, root_of, search
from dapwright.core.scopes import Program

ORDERS = """\
from prices import RATE, tax


class Order:
    def __init__(self, prices):
        self.total = 0
        self.prices = prices

    def add(self, price):
        self.total += price * RATE


def run(orders, extra):
    total = 0
    for order in orders:
        amount = order.total + extra
        total += amount
    rows = []
    rows.append(total)
    rows[0] = tax(total)
    return total


def other():
    total = 9
    return total


made = run([Order([1])], extra=5)
"""
PRICES = """\
RATE = 2


def tax(amount, share=3):
    if amount > 8:
        return amount / share
    return 0
"""
PROGRAM = Program({"/app/orders.py": ORDERS, "/app/prices.py": PRICES})


def line_of(text, file="/app/orders.py"):
    (found,) = [n for n, row in enumerate(PROGRAM.lines(file), 1) if row.strip() == text]
    return found


def found(expression, at, file="/app/orders.py"):
    """(how, statement) of all that a search finds."""
    told = search(PROGRAM, expression, file, line_of(at, file))
    return {(one.how, one.statement) for one in told.writes}


def test_a_name_is_looked_for_in_its_own_function_with_the_inputs_of_its_inputs():
    statements = found("total", "rows.append(total)")
    assert {("assigned", "total = 0"), ("assigned", "total += amount")} <= statements
    assert ("loop", "for order in orders:") in found("order", "total += amount")
    assert ("assigned", "total = 9") not in statements
    assert ("assigned", "self.total += price * RATE") in statements


def test_an_attribute_is_looked_for_wherever_an_object_has_it():
    statements = found("order.total", "total += amount")
    assert {("assigned", "self.total = 0"), ("assigned", "self.total += price * RATE")} <= statements


def test_a_parameter_is_looked_for_where_its_function_is_called():
    assert ("argument", "made = run([Order([1])], extra=5)") in found("extra", "total = 0")
    assert ("argument", "made = run([Order([1])], extra=5)") in found("prices", "self.prices = prices")


def test_a_call_is_looked_for_at_the_returns_of_a_function_in_another_file():
    statements = found("rows", "rows[0] = tax(total)")
    assert {("returned", "return amount / share"), ("returned", "return 0")} <= statements
    assert ("argument", "rows[0] = tax(total)") in statements


def test_an_item_is_of_what_holds_it_and_a_method_that_changes_it_counts():
    program, at = PROGRAM, line_of("rows[0] = tax(total)")
    told = search(program, "rows[0]", "/app/orders.py", at)
    writes = {one.statement: one for one in told.writes if one.gives == told.wanted}
    assert writes["rows.append(total)"].how == "element" and writes["rows.append(total)"].place == "len(rows)"
    assert writes["rows[0] = tax(total)"].place == "0"


def test_an_imported_name_is_looked_for_where_it_is_from():
    assert ("assigned", "RATE = 2") in found("RATE", "self.total += price * RATE")


def test_inputs_leave_out_what_is_called_and_a_value_that_would_run_code_is_not_asked_again():
    writes = search(PROGRAM, "amount", "/app/orders.py", line_of("total += amount")).writes
    (write,) = [one for one in writes if one.statement.startswith("amount =")]
    assert write.inputs == ("order.total", "extra") and write.scope.name == "run"
    (handed,) = [one for one in writes if one.how == "argument" and one.target == "extra"]
    assert handed.value == "5"
    program = Program({"a.py": "def f(x):\n    return x\n\n\nf(g())\n"})
    (call,) = [one for one in search(program, "x", "a.py", 2).writes if one.how == "argument"]
    assert call.value == ""


def test_an_unpacking_gives_each_name_its_own_value():
    program = Program({"a.py": "a, b = one, two\nprint(a)\n"})
    (write,) = search(program, "a", "a.py", 2).writes
    assert write.inputs == ("one",)


def test_a_nested_function_that_says_nonlocal_writes_the_outer_name():
    text = "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 4\n    g()\n    return n\n"
    program = Program({"a.py": text})
    assert {one.line for one in search(program, "n", "a.py", 7).writes} == {2, 5}


def test_a_name_of_a_nested_function_is_not_the_outer_one():
    text = "def f():\n    n = 0\n    def g():\n        n = 4\n        return n\n    g()\n    return n\n"
    program = Program({"a.py": text})
    assert {one.line for one in search(program, "n", "a.py", 7).writes} == {2}


@pytest.mark.parametrize(
    ("expression", "root", "place"),
    [
        ("rows[0].x", "rows[0].x", ""),
        ("rows[i][1]", "rows", ""),
        ("rows[i]", "rows", "i"),
        ("table['a']", "table", "'a'"),
        ("rows[1:]", "rows", ""),
        ("a + b", "", ""),
        ("f(", "", ""),
    ],
)
def test_what_an_expression_is_of(expression, root, place):
    assert (root_of(expression), place_of(expression)) == (root, place)


def test_a_file_that_is_no_python_is_told_and_the_others_are_read():
    program = Program({"a.py": "def (", "b.py": "x = 1\n"})
    assert program.unread == ["a.py"] and program.files == ("b.py",)


def test_a_search_is_cut_where_there_is_too_much_to_look_at():
    text = "x = 0\n" + "".join(f"x = x + {n}\n" for n in range(200))
    told = search(Program({"a.py": text}), "x", "a.py", 200)
    assert told.cut and len(told.writes) == 60


def test_meaning_tells_a_parameter_from_a_global():
    scope = PROGRAM.scope_at("/app/orders.py", line_of("total += amount"))
    assert meaning(PROGRAM, "extra", scope).scope.name == "run"
    assert meaning(PROGRAM, "made", scope).scope.name == "<module>"
