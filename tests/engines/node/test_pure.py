"""Conditions, outlines, addresses, globs, output noise: what needs no program."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.errors import UsageError
from dapwright.engines.node.conditions import Wanted, expressions, hit_test, javascript, split_log
from dapwright.engines.node.options import Skipping, glob
from dapwright.engines.node.outline import outline
from dapwright.engines.node.program import NOISE, Noise
from dapwright.engines.node.scripts import path_of, pattern
from dapwright.engines.node.tokens import tokens
from dapwright.engines.node.values import error_head, function_head, member, render

CODE = """
class Item {
  constructor(name) { this.name = name; }
  get total() { return 1; }
  static async *gen(a, { b }) { yield 1; }
  #hidden() {}
  later = (x) => x + 1;
}
function lineTotal(item) { return item.price / item.count / 2 + `a${ { a: `${1}` }.a }}`; }
const f = async (a, b = { c: 1 }) => { function inner() {} };
exports.h = function () { if (a) { b(); } };
Foo.prototype.bar = function () {};
const o = { m(a) { return 1; }, n: function () {}, 'q r'(x) {}, k: { deep() {} } };
try { risky(/[/}]/.test("}")); } catch { after(); } finally {}
try { unguarded(); } finally {}
const arrow: (s: Shape) => number = (s) => { return 2; };
function typed(a: number): Promise<string> { return 1; }
while (x) { }
"""


def test_functions_are_found_by_what_holds_them():
    names = {f.name for f in outline(CODE).functions}
    assert names >= {
        "Item.constructor",
        "Item.total",
        "Item.gen",
        "Item.#hidden",
        "Item.later",
        "lineTotal",
        "f",
        "f.inner",
        "h",
    }
    assert names >= {
        "Foo.bar" if "Foo.bar" in names else "prototype.bar",
        "o.m",
        "o.n",
        "o.q r",
        "o.k.deep",
        "arrow",
        "typed",
    }
    assert not names & {"if", "while", "catch", "risky", "number"}


def test_a_short_name_means_every_function_of_that_name():
    read = outline("class A { go() {} }\nclass B { go() {} }\nfunction stop() {}")
    assert [f.name for f in read.named("go")] == ["A.go", "B.go"]
    assert [f.name for f in read.named("B.go")] == ["B.go"] and read.named("o") == []
    beside = outline("function go() {}\nclass A { go() {} }")
    assert [f.name for f in beside.named("go")] == ["go", "A.go"]


def test_a_try_guards_what_is_in_it_and_in_its_own_function():
    lines = CODE.splitlines()
    at = next(i for i, line in enumerate(lines) if "risky" in line)
    read = outline(CODE)
    place = (at, lines[at].index("risky"))
    assert read.catches(place, (0, 0)) and not read.catches(place, (at, 10))
    assert not read.catches((at, lines[at].index("after")), (0, 0))
    bare = next(i for i, line in enumerate(lines) if "unguarded" in line)
    assert not read.catches((bare, lines[bare].index("unguarded")), (0, 0))


@given(st.text())
def test_any_text_has_an_outline(text):
    assert outline(text) is not None
    assert all(text[t.at : t.at + len(t.text)] == t.text or t.text == "`" for t in tokens(text))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("3", ("==", 3)),
        ("==3", ("==", 3)),
        (" >= 3 ", (">=", 3)),
        (">3", (">", 3)),
        ("<3", ("<", 3)),
        ("<=3", ("<=", 3)),
        ("%3", ("%", 3)),
    ],
)
def test_hit_conditions(text, meaning):
    assert hit_test(text) == meaning


@pytest.mark.parametrize("text", ["", "0", "x", "=3", "3.5", "-1", "%0", "> x"])
def test_what_is_no_hit_condition_is_refused(text):
    with pytest.raises(UsageError, match="hit condition"):
        hit_test(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", [(False, "plain")]),
        ("{{a}} {b}", [(False, "{a} "), (True, "b")]),
        ("{ {a: 1}.a }", [(True, "{a: 1}.a")]),
        ("{'}'}{`{`}", [(True, "'}'"), (True, "`{`")]),
        ("", []),
    ],
)
def test_log_messages_are_text_and_expressions(text, parts):
    assert split_log(text) == parts


def test_an_open_brace_is_refused():
    with pytest.raises(UsageError, match="does not close"):
        expressions(Wanted(1, log="a {b"))


def test_nothing_wanted_is_no_condition():
    assert javascript([Wanted(1)]) == "" and javascript([Wanted(1), Wanted(2, log="x")]) != ""


@given(
    st.text(alphabet=st.characters(blacklist_characters="\x00/", blacklist_categories=("Cs",)), min_size=1, max_size=12)
)
def test_a_pattern_fits_its_path_however_it_is_encoded(name):
    from urllib.parse import quote

    path = f"/w/{name}/a.js"
    for url in (f"file://{quote(path)}", f"file://{quote(path, safe='/@+()~[]')}", f"file://{quote(path)}?x=1"):
        assert re.search(pattern(path), url), url
    assert not re.search(pattern(path), f"file:///x{quote(path)}")
    assert path_of(f"file://{quote(path)}") == path


@pytest.mark.parametrize(
    ("text", "path", "fits"),
    [
        ("vendor/**", "/w/vendor/a/b.js", True),
        ("**/gen/*.js", "/w/src/gen/a.js", True),
        ("**/gen/*.js", "/w/src/gen/x/a.js", False),
        ("/w/a?.js", "/w/ab.js", True),
        ("a.js", "/w/ba.js", False),
    ],
)
def test_globs(text, path, fits):
    assert bool(re.search(glob(text), path)) is fits


def test_what_is_not_the_users_is_skipped():
    assert Skipping().skips("node:fs", "") and Skipping().skips("file:///w/node_modules/x.js", "/w/node_modules/x.js")
    assert not Skipping(just_my_code=False).skips("", "/w/node_modules/x.js") and not Skipping().skips("", "/w/a.js")
    assert Skipping(globs=["vendor/**", "<node_internals>/**"]).skips("", "/w/vendor/x.js")


@given(st.integers(1, 7))
def test_nodes_own_words_are_taken_out_however_they_are_cut(size):
    text = "before\n" + "".join(f"{n}x\n" for n in NOISE) + "Debugger? no\nlast without end"
    noise = Noise()
    out = "".join(noise.feed(text[i : i + size]) for i in range(0, len(text), size)) + noise.rest()
    assert out == "before\nDebugger? no\nlast without end"


def test_values_read_as_javascript():
    assert (
        render({"type": "number", "value": 3.0}) == "3"
        and render({"type": "number", "unserializableValue": "-0"}) == "-0"
    )
    assert (
        render({"type": "string", "value": "a'b\n"}) == "'a\\'b\\n'"
        and render({"type": "boolean", "value": True}) == "true"
    )
    assert (
        function_head("async function* go(a) { x }") == "f async *go(a)"
        and function_head("class A extends B {") == "class A extends B"
    )
    assert error_head("Error: a\nb\n    at f (x.js:1:2)") == "Error: a\nb"
    assert (
        member("a", "b") == "a.b"
        and member("a", "b c") == "a['b c']"
        and member("a", "0") == "a[0]"
        and member("", "b") == ""
    )


def test_an_arrow_function_with_a_return_type_has_its_name():
    source = (
        "const one = (n: number): number => n + 1;\nconst two = (n: number): Map<string, number> => { return go(n); };"
    )
    assert [f.name for f in outline(source).functions] == ["one", "two"]
