"""Where functions begin, in the languages that are traced: by column too, with their parameters."""

import pytest

from dapwright.core.source import of_text
from dapwright.core.source.entries import entries


def found(name, text):
    return {entry.name: entry for entry in entries(of_text(name, text))}


def rest(text, place):
    """The text of the line from a place on."""
    line, column = place
    return text.splitlines()[line - 1][column:]


JS = """\
class Cart {
  add(price, { count = 1, ...more } = {}) { this.total += price; }
}
const half = (x) => x / 2;
function outer(a) {
  function inner() { return 1; }
  // a word
  return inner() + a;
}
async function later() {
  while (await next()) {}
}
function silent() {}
const made = () => ({ a: 1 });
"""


def test_a_body_begins_at_its_first_statement_that_runs():
    known = found("cart.js", JS)
    assert set(known) == {"Cart.add", "half", "outer", "outer.inner", "later", "silent", "made"}
    begins = {name: rest(JS, entry.starts) for name, entry in known.items()}
    assert begins["Cart.add"] == "this.total += price; }" and begins["half"] == "x / 2;"
    assert begins["outer"] == "return inner() + a;" and begins["silent"] == "}"
    assert begins["outer.inner"] == "return 1; }" and begins["made"].startswith("({ a: 1")


def test_parameters_are_named_those_in_patterns_too():
    known = found("cart.js", JS)
    assert known["Cart.add"].parameters == ("price", "count", "more") and known["half"].parameters == ("x",)


def test_what_suspends_and_what_begins_with_a_loop_is_known():
    known = found("cart.js", JS)
    assert [name for name, entry in known.items() if entry.suspends] == ["later"]
    assert [name for name, entry in known.items() if entry.loops] == ["later"]


@pytest.mark.parametrize(
    ("name", "text", "functions"),
    [
        ("a.ts", "function f(a: number, b?: string): void { type T = number; g(a); }", {"f": ("a", "b")}),
        ("a.go", "package a\nfunc (c *Cart) Add(n, m int) int {\n\treturn n\n}\n", {"Cart.Add": ("n", "m")}),
        ("a.rs", "impl Cart {\n    fn add(&mut self, n: i32) -> i32 {\n        n\n    }\n}\n", {"Cart.add": ("n",)}),
        ("a.cpp", "struct Cart {\n    int add(int n) { return n; }\n};\n", {"Cart.add": None}),
        (
            "a.java",
            "class Cart {\n  Cart() { go(); }\n  int add(int n) { return n; }\n}",
            {"Cart.add": None, "Cart.Cart": ()},
        ),
    ],
)
def test_functions_of_each_language_are_found(name, text, functions):
    known = found(name, text)
    assert set(known) == set(functions)
    for function, parameters in functions.items():
        assert parameters is None or known[function].parameters == parameters


def test_a_file_without_a_grammar_has_none_that_we_know():
    assert entries(of_text("a.pas", "procedure A; begin end;")) == []
