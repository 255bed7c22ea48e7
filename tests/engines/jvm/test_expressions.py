"""Java expressions: tokens, trees, arithmetic, snippets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.expressions import parse
from dapwright.engines.jvm.expressions_arithmetic import binary, convert, unary, widens
from dapwright.engines.jvm.expressions_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Choice,
    ClassLiteral,
    Index,
    InstanceOf,
    Literal,
    Member,
    Name,
    NeedsCompiler,
    New,
    NewArray,
    Step,
    Unary,
)
from dapwright.engines.jvm.generics import java_type
from dapwright.engines.jvm.packets import NULL, Value
from dapwright.engines.jvm.snippets import assigned, source, statements, uses
from dapwright.engines.jvm.text import floating, primitive, quote

A, B, C = Name("a"), Name("b"), Name("c")
ONE = Literal(Value("I", 1))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b * c", Binary("+", A, Binary("*", B, C))),
        ("(a + b) * c", Binary("*", Binary("+", A, B), C)),
        ("a - b - c", Binary("-", Binary("-", A, B), C)),
        ("a && b || c", Binary("||", Binary("&&", A, B), C)),
        ("a == b ? a : b ? b : c", Choice(Binary("==", A, B), A, Choice(B, B, C))),
        ("a = b = c", Assign(A, "", Assign(B, "", C))),
        ("a >>>= 1", Assign(A, ">>>", ONE)),
        ("-a", Unary("-", A)),
        ("-2147483648", Literal(Value("I", -(1 << 31)))),
        ("0xFFFFFFFF", Literal(Value("I", -1))),
        ("0b101L", Literal(Value("J", 5))),
        ("1_000.5e1", Literal(Value("D", 10005.0))),
        ("010", Literal(Value("I", 8))),
        ("'\\n'", Literal(Value("C", 10))),
        ("'\\u0041'", Literal(Value("C", 65))),
        ('"a\\tb"', Literal("a\tb")),
        ("null", Literal(NULL)),
        ("a.b.c()", Call(Member(A, "b"), "c", ())),
        ("a[1].b", Member(Index(A, ONE), "b")),
        ("f(a, b)", Call(None, "f", (A, B))),
        ("(int) a", Cast("int", A)),
        ("(int) -a", Cast("int", Unary("-", A))),
        ("(a) - b", Binary("-", A, B)),
        ("(a.B) b", Cast("a.B", B)),
        ("(List<String>) a", Cast("List", A)),
        ("(a)", A),
        ("a instanceof b.C[]", InstanceOf(A, "b.C[]")),
        ("new a.B(c)", New("a.B", (C,))),
        ("new int[1][]", NewArray("int[][]", (ONE,), None)),
        ("new int[]{1}", NewArray("int[]", (), (ONE,))),
        ("a++", Step("+", A, False)),
        ("--a", Step("-", A, True)),
        ("int[].class", ClassLiteral("int[]")),
        ("a.B.class", ClassLiteral("a.B")),
        ("a < b", Binary("<", A, B)),
        ("a; ", A),
    ],
)
def test_trees_are_javas(text, tree):
    assert parse(text) == tree


@pytest.mark.parametrize(
    "text",
    ["x -> x", "a.map(b::c)", "int a = 1;", "String s = a;", "a; b", "new A() { }", "if (a) b();", "switch (a) { }",
     "a instanceof String s", "a instanceof P(int x, var y)", "return a;", "for (;;) {}", "var x = 1; x"],
)  # fmt: skip
def test_what_only_a_compiler_can_run_is_left_to_it(text):
    with pytest.raises(NeedsCompiler):
        parse(text)


@pytest.mark.parametrize("text", ["", "a +", "(a", "a)", "a..b", "1a", "f(a,)", "'ab'", '"open', "a ? b", "#", "3 = a"])
def test_what_is_no_java_is_refused_with_its_text(text):
    with pytest.raises(UsageError):
        parse(text)


@given(st.text(max_size=30))
def test_no_text_breaks_the_parser_otherwise(text):
    try:
        parse(text)
    except (UsageError, NeedsCompiler):
        pass


ints = st.integers(-(1 << 31), (1 << 31) - 1)


@given(ints, ints)
def test_whole_numbers_overflow_and_divide_as_in_java(a, b):
    left, right = Value("I", a), Value("I", b)
    for operator in "+-*":
        exact = {"+": a + b, "-": a - b, "*": a * b}[operator]
        assert (binary(operator, left, right).value - exact) % (1 << 32) == 0
    if b:
        quotient, rest = binary("/", left, right).value, binary("%", left, right).value
        assert rest == 0 or (rest < 0) == (a < 0)
        assert (quotient * b + rest - a) % (1 << 32) == 0


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [
        ("/", Value("I", -7), Value("I", 2), Value("I", -3)),
        (">>>", Value("I", -1), Value("I", 28), Value("I", 15)),
        ("<<", Value("I", 1), Value("I", 33), Value("I", 2)),
        ("+", Value("C", 97), Value("I", 1), Value("I", 98)),
        ("+", Value("I", 1), Value("J", 1), Value("J", 2)),
        ("/", Value("D", 1.0), Value("I", 0), Value("D", float("inf"))),
        ("==", Value("I", 1), Value("D", 1.0), Value("Z", True)),
        ("^", Value("Z", True), Value("Z", True), Value("Z", False)),
    ],
)
def test_operators_promote_their_operands(operator, left, right, result):
    assert binary(operator, left, right) == result


def test_conversions_cut_as_casts_do():
    assert convert(Value("I", 300), "B") == Value("B", 44)
    assert convert(Value("D", 1e20), "I") == Value("I", (1 << 31) - 1)
    assert convert(Value("D", float("nan")), "J") == Value("J", 0)
    assert convert(Value("I", -1), "C") == Value("C", 65535)
    assert unary("~", Value("B", 5)) == Value("I", -6)
    assert widens("I", "J") and not widens("J", "I") and not widens("S", "C")


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [(1.0, 17, "1.0"), (1e7, 17, "1.0E7"), (123456789.125, 17, "1.23456789125E8"), (0.001, 17, "0.001"),
     (0.00012, 17, "1.2E-4"), (float("nan"), 17, "NaN"), (-0.0, 17, "-0.0"), (1e-320, 17, "1.0E-320"),
     (0.10000000149011612, 9, "0.1")],
)  # fmt: skip
def test_floating_numbers_are_written_as_java_writes_them(number, digits, text):
    assert floating(number, digits) == text


def test_texts_are_quoted_and_cut_with_notice():
    assert quote('a"b\n') == '"a\\"b\\n"'
    assert quote("abcdef", 3) == '"abc… (6 characters)"'
    assert primitive(Value("C", 39)) == "'\\''"


def test_a_snippet_names_what_it_takes_from_outside():
    found = uses("xs.stream().map(x -> x.y + base).filter(this::ok).forEach((a, b) -> add(a, z))")
    assert [(use.name, use.called) for use in found] == [("xs", False), ("base", False), ("add", True), ("z", False)]
    assert [use.name for use in uses("int n = 0; for (int i : xs) n += i; n + m")] == ["xs", "m"]
    assert [use.name for use in uses("a.new Inner().get()")] == ["a"], "which Inner is told by what is before the dot"
    assert uses("p instanceof Point(int x, int y)")[1].called is False, "a pattern is no call"


def test_assignments_in_a_snippet_are_seen():
    assert assigned("total += 1;", "total") and assigned("++total", "total") and assigned("total = 2", "total")
    assert not assigned("total == 2", "total") and not assigned("this.total = 2", "total")


def test_a_snippet_is_cut_before_its_last_expression():
    assert statements("int a = 1; a + 1") == ("int a = 1;", "a + 1")
    assert statements("f(x -> { return 1; })") == ("", "f(x -> { return 1; })")
    assert statements("for (;;) { a(); }") == ("for (;;) { a(); }", "")
    assert statements("new A() { int b() { return 1; } }.b()") == ("", "new A() { int b() { return 1; } }.b()")
    text = source("S", "p.q", ("", "1"), [])
    assert text.startswith("package p.q;") and "return (Object) (1);" in text


@pytest.mark.parametrize(
    ("signature", "generic", "text"),
    [("I", "", "int"), ("[[J", "", "long[][]"),
     ("Ljava/util/List;", "Ljava/util/List<La/B$C;>;", "java.util.List<a.B.C>"),
     ("Ljava/util/Map;", "Ljava/util/Map<+Ljava/lang/Number;*>;", "java.util.Map<? extends java.lang.Number, ?>"),
     ("Ljava/lang/Object;", "TT;", "Object"), ("La/B$1;", "", "Object")],
)  # fmt: skip
def test_signatures_become_types_that_source_can_name(signature, generic, text):
    assert java_type(signature, generic) == text
