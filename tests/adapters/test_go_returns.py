"""What a Go function's text and Delve's words say of its results."""

import pytest

from dapwright.adapters import _go_returns as returns
from dapwright.core.source import of_text

GO = """package main

func plain() int {
	return 1 // plain
}

func (b *box[T]) pair(a, c int) (T, error) {
	return b.held, nil // pair
}

func named(deep int) (n, m int, _ string, err error) {
	n = 1 // named
	return
}

func kept() (n int, get func() int) {
	get = func() int { return n }
	return // kept
}

func closures() {
	one := func() string {
		return "" // one
	}
	two := func() int { return other(func() bool { return true }) } // two
	_, _ = one, two
}

func nothing() {
	other() // nothing
}
"""
FILE = of_text("main.go", GO, "go")


def at(text):
    return next(number for number, line in enumerate(GO.splitlines(), 1) if text in line)


def names(text, function):
    found = returns.results(FILE, at(text), function)
    return found and found.names


def test_results_are_named_as_delve_names_them():
    assert names("// plain", "main.plain") == ("~r0",)
    assert names("// pair", "main.(*box[go.shape.int]).pair") == ("~r0", "~r1")
    assert names("// named", "main.named") == ("n", "m", "~r2", "err")
    assert names("// one", "main.closures.func1") == ("~r0",)
    assert names("// nothing", "main.nothing") == ()


def test_a_function_that_the_text_does_not_show_for_sure_has_none():
    assert names("// two", "main.closures.func2") is None, "two closures begin on that line"
    assert names("// plain", "main.other") is None
    assert names("// plain", "main.plain.func1") is None
    assert names("// plain", "main.plain-range1") is None


def test_a_result_that_may_move_to_the_heap_is_settled_once_the_body_has_begun():
    assert returns.results(FILE, at("// kept"), "main.kept").settled
    assert not returns.results(FILE, at("func kept"), "main.kept").settled
    assert returns.results(FILE, at("func named"), "main.named").settled, "nobody takes an address there"


@pytest.mark.parametrize(
    ("shown", "own"),
    [
        ("error(*errors.errorString)", "error"),
        ("interface {}(main.row·1)", "interface {}"),
        ("func(int) (int, error)", "func(int) (int, error)"),
        ("map[string]func(int)", "map[string]func(int)"),
        ("main.box[string]", "main.box[string]"),
        ("int", "int"),
    ],
)
def test_what_an_interface_holds_is_no_part_of_its_type(shown, own):
    assert returns.typed(shown) == own


def test_places_are_addresses_in_memory_alone():
    assert returns.place("-1,0,*(*[8]byte)(0xc000012345)") == 0xC000012345
    assert returns.place("-1,0,*(*[8]byte)(0xbeef000000000100)") is None, "registers"
    assert returns.place("1,0,err") is None and returns.place("-1,0,*(*[8]byte)(0x0)") is None
    assert returns.limits("runtime.stack {lo: 824633720832, hi: 824633724928}") == (824633720832, 824633724928)
    assert returns.limits("nil") is None
    assert returns.read("main.box[string]", 255) == '*(*"main.box[string]")(0xff)'


@pytest.mark.parametrize(
    "text", ["SUBQ $0x18, SP", "MOVQ $0x0, 0x8(SP)", "MOVUPS X15, 0x30(SP)", "MOVQ AX, 0x20(SP)", "LEAQ 0x58(SP), DX"]
)
def test_instructions_that_only_store_are_run_one_by_one(text):
    assert returns.CLEARS.search(text)


@pytest.mark.parametrize(
    "text", ["CALL runtime.newobject(SB)", "MOVQ $0x1, 0x8(SP)", "MOVQ (AX), CX", "RET", "JMP 0x4c2200", "REP; STOSQ"]
)
def test_instructions_that_do_anything_else_are_not(text):
    assert not returns.CLEARS.search(text)
