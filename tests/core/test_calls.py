"""Call trees out of a tracer's events, folded, and two of them side by side."""

from dapwright.core.align import first_difference
from dapwright.core.calls import line_of, lines, tree


def call(number, parent, name, **arguments):
    return ["call", number, parent, name, "shop.py", 3, arguments]


def ended(number, value, kind="return", changed=None):
    return [kind, number, value, changed or {}]


def run(*amounts, result="None"):
    events, number = [call(1, 0, "main")], 1
    for amount in amounts:
        number += 1
        events += [call(number, 1, "add", amount=amount), ended(number, amount)]
    return tree([*events, ended(1, result)])


def test_a_tree_nests_what_was_called_within():
    (main,) = run("1", "2")
    assert [inner.arguments for inner in main.calls] == [{"amount": "1"}, {"amount": "2"}]
    assert list(lines([main])) == ["#1 main() -> None", "  #2 add(amount=1) -> 1", "  #3 add(amount=2) -> 2"]


def test_repeated_calls_are_folded_with_what_changes():
    written = list(lines(run(*"12345")))
    assert len(written) == 4 and "3 more calls of add (#3 to #5): amount 1 .. 5" in written[2]
    assert len(list(lines(run(*"12345"), fold=False))) == 6


def test_a_raise_and_a_changed_attribute_are_told():
    events = [call(1, 0, "Cart.add", self="<Cart>"), ended(1, "ValueError: no", "raise", {"total": ["0", "1"]})]
    assert list(lines(tree(events))) == ["#1 Cart.add() raises ValueError: no  [self.total: 0 -> 1]"]


def test_an_attribute_that_was_not_there_is_told_as_set():
    events = [call(1, 0, "Cart.__init__"), ended(1, "None", changed={"total": [None, "0"], "note": [None, "None"]})]
    (made,) = tree(events)
    assert line_of(made) == "Cart.__init__() -> None  [self.total = 0; self.note = None]"
    assert line_of(made, terse=True) == "Cart.__init__() -> None  [self.total = 0]"


def test_terse_leaves_empty_arguments_out_and_says_so():
    (made,) = tree([call(1, 0, "decode", token="'t'", key="None", options="{}"), ended(1, "3")])
    assert line_of(made, terse=True) == "decode(token='t', …) -> 3"
    assert line_of(made) == "decode(token='t', key=None, options={}) -> 3"


def test_a_call_that_never_returned_says_so():
    assert list(lines(tree([call(1, 0, "spin")]))) == ["#1 spin() (not returned)"]


def test_equal_runs_do_not_differ():
    assert first_difference(run("1", "2"), run("1", "2")) is None


def test_addresses_are_no_difference():
    assert first_difference(run("<Cart at 0x7f001122>"), run("<Cart at 0x7f998877>")) is None


def test_the_first_argument_that_differs_is_found_with_its_path():
    found = first_difference(run("1", "2", "3", result="6"), run("1", "9", "3", result="13"))
    assert (found.what, found.agreed, found.path, found.names) == ("argument", 2, ("main",), ("amount",))


def test_a_call_that_ended_otherwise_comes_before_a_later_argument():
    one = tree([call(1, 0, "get"), ended(1, "3"), call(2, 0, "put", value="3"), ended(2, "None")])
    other = tree([call(1, 0, "get"), ended(1, "4"), call(2, 0, "put", value="4"), ended(2, "None")])
    found = first_difference(one, other)
    assert (found.what, found.a.name, found.a.value, found.b.value) == ("returned", "get", "3", "4")


def test_a_call_that_only_one_run_has_is_told():
    found = first_difference(run("1", "2"), run("1"))
    assert (found.what, found.b) == ("only in a", None) and found.a.arguments == {"amount": "2"}


def test_the_innermost_end_is_told_and_not_its_callers():
    def nested(value):
        return tree([call(1, 0, "outer"), call(2, 1, "inner"), ended(2, value), ended(1, value)])

    assert first_difference(nested("1"), nested("2")).a.name == "inner"
