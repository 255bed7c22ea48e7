"""The statements that assign a value, by the syntax tree."""

import pytest

from dapwright.core.assignments import parameters, root_of, writes

TEXT = """\
RATE = 2


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
    return total


def other():
    total = 9
    return total
"""


def lines(expression, line):
    return {(one.target, one.line) for one in writes(TEXT, expression, line)}


def test_a_name_is_looked_for_in_its_own_function_with_the_inputs_of_its_inputs():
    found = lines("total", 20)
    assert {("total", 14), ("total", 17), ("amount", 16)} <= found
    assert ("total", 24) not in found and ("self.total", 10) in found


def test_an_attribute_is_looked_for_wherever_an_object_has_it():
    assert {("self.total", 6), ("self.total", 10)} <= lines("order.total", 16)


def test_an_item_is_of_what_holds_it_and_a_method_that_changes_it_counts():
    assert {("rows", 18), ("rows", 19)} <= lines("rows[0]", 20)


def test_a_global_is_found_outside():
    assert ("RATE", 1) in lines("RATE", 10)


def test_inputs_leave_out_what_is_called():
    (write,) = [one for one in writes(TEXT, "amount", 16) if one.line == 16]
    assert write.inputs == ("order.total", "extra") and write.function == "run"


@pytest.mark.parametrize(("expression", "root"), [("a[0][1]", "a"), ("a.b", "a.b"), ("f()", ""), ("a +", "")])
def test_the_root_of_an_expression(expression, root):
    assert root_of(expression) == root


def test_parameters_are_of_the_innermost_function():
    assert parameters(TEXT, 16) == ("orders", "extra") and parameters(TEXT, 1) == ()
