"""Delve's variables as Go writes them."""

from dapwright.engines.delve.tracing import is_method
from dapwright.engines.delve.values import fields, short, show


def variable(kind, value="", type_="int", **more):
    return {"kind": kind, "value": value, "type": type_, "children": [], **more}


NUMBER = variable(2, "4")
TEXT = variable(24, "tea", "string", len=3)


def test_plain_values_stand_for_themselves_and_texts_are_quoted():
    assert show(NUMBER) == "4" and show(TEXT) == '"tea"'
    assert show({**TEXT, "len": 300}) == '"tea"... 297 more'


def test_structs_pointers_and_lists_are_opened():
    cart = variable(25, "", "example.test/shop.Cart", children=[{**NUMBER, "name": "total"}], len=1)
    assert show(cart) == "shop.Cart{total: 4}"
    assert show(variable(22, "", "*shop.Cart", children=[{**cart, "addr": 8}])) == "&shop.Cart{total: 4}"
    assert show(variable(23, "", "[]int", base=8, len=3, children=[NUMBER])) == "[]int{4, ... 2 more}"
    assert (
        show(variable(21, "", "map[string]int", base=8, len=1, children=[TEXT, NUMBER])) == 'map[string]int{"tea": 4}'
    )


def test_nothing_is_nil():
    assert show(variable(22, "", "*int", children=[{"addr": 0}])) == "nil"
    assert show(variable(23, "", "[]int", len=0, base=0)) == "nil"
    assert show(variable(20, "", "error", children=[{"kind": 0, "addr": 0}])) == "nil"


def test_what_delve_cannot_read_is_said():
    assert show(variable(20, "", "error", unreadable="no type")) == "<unreadable: no type>"


def test_the_fields_of_a_receiver_are_those_of_what_it_points_to():
    held = variable(25, "", "Cart", children=[{**NUMBER, "name": "total"}])
    assert fields(held) == {"total": "4"} == fields(variable(22, "", "*Cart", children=[held]))
    assert fields(NUMBER) is None and fields({**held, "onlyAddr": True}) is None


def test_types_lose_the_path_of_their_package():
    assert short("*example.test/a/shop.Cart") == "*shop.Cart" and short("[]int") == "[]int"


def test_methods_are_told_from_functions_and_closures():
    assert is_method("main.(*Cart).Add") and is_method("example.test/shop.Cart.Total")
    assert not is_method("main.fact") and not is_method("main.main.func1")
