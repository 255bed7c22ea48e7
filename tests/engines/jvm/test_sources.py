"""Sources, line tables, source maps, class files and log messages: what breakpoints are placed by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.bytecode import breaks, copies, returns
from dapwright.engines.jvm.classfile import class_name, publicise
from dapwright.engines.jvm.mangling import plain_function
from dapwright.engines.jvm.places import Address, matches, read_address, read_function
from dapwright.engines.jvm.signatures import dotted, is_internal, name_of, parameters, result, short, signature_of
from dapwright.engines.jvm.smap import read_map
from dapwright.engines.jvm.sourcefile import read_source
from dapwright.engines.jvm.stops import Stop, merge
from dapwright.engines.jvm.template import Part, read_template

JAVA = """package a.b;
// class Fake {
public class Outer {
    String text = "class InString {";
    static class Inner {
        void run() {
            new Thread() { };
        }
    }
    enum Kind { ONE }
    record Pair(int a) {}
}
interface Beside {}
"""


def test_a_java_source_names_its_types_and_their_lines():
    read = read_source(JAVA, "Outer.java")
    assert {kind.name for kind in read.types} == {"Outer", "Outer$Inner", "Outer$Kind", "Outer$Pair", "Beside"}
    assert read.owner(7) == "a.b.Outer$Inner" and read.owner(4) == "a.b.Outer" and read.owner(1) == ""
    assert read.patterns() == ["a.b.Outer", "a.b.Outer$*", "a.b.Beside", "a.b.Beside$*"]


def test_a_kotlin_source_has_a_class_for_its_functions():
    text = "package x\nclass A { companion object { val n = 1 } }\ndata class B(val i: Int)\nfun main() {\n}\n"
    read = read_source(text, "my-app.kt")
    assert read.file_class == "My_appKt" and read.owner(4) == "x.My_appKt"
    assert "A$Companion" in {kind.name for kind in read.types} and not read.inlines
    assert read_source('@file:JvmName("Other")\ninline fun f() {}', "a.kt").file_class == "Other"
    assert read_source("inline fun <T> f() {}", "a.kt").inlines


@given(st.text(alphabet="{};\"'/*\\\n class Ax", max_size=80))
def test_no_text_breaks_the_scan(text):
    for kind in read_source(text, "A.java").types:
        assert kind.first <= kind.last or kind.last >= 0


def test_class_patterns_have_one_star():
    assert matches("a.B", "a.B") and matches("a.B$*", "a.B$C") and matches("*.B", "x.B") and not matches("a.B", "a.BC")
    assert matches("*", "a.B") and not matches("*", "java.util.List")


def test_an_address_is_a_file_or_a_class():
    assert read_address("com.x.Outer$Inner").patterns == ["com.x.Outer$Inner", "com.x.Outer$Inner$*"]
    assert read_address("/nowhere/Gone.java").patterns == ["*"]
    address = Address("/x/Outer.java", file="Outer.java", source=read_source(JAVA, "Outer.java"))
    assert address.excludes("a.b.Outer", 7) and not address.excludes("a.b.Outer$Inner", 7)
    assert not address.excludes("a.b.Outer$Inner$1", 7)


@pytest.mark.parametrize(
    ("text", "owner", "name", "owns", "not_owns"),
    [
        ("run", "", "run", "a.B", "java.lang.Thread"),
        ("B.run", "B", "run", "x.B", "x.AB"),
        ("A.B.run(int)", "A.B", "run", "p.A$B", "p.C$B"),
        ("p.A$B.<init>", "p.A.B", "<init>", "p.A$B", "q.A$B"),
        ("A#run", "A", "run", "A", "B"),
        ("java.util.List.of", "java.util.List", "of", "java.util.List", "List2"),
    ],
)
def test_functions_are_named_as_people_name_them(text, owner, name, owns, not_owns):
    function = read_function(text)
    assert (function.owner, function.name) == (owner, name)
    assert function.owns(owns) and not function.owns(not_owns)
    assert any(matches(pattern, owns) for pattern in function.patterns)


def test_names_and_signatures_are_each_others_inverse():
    for name in ("int", "a.B$C", "long[][]", "java.lang.String[]"):
        assert name_of(signature_of(name)) == name
    assert parameters("(I[JLa/B;[[La/C;Z)V") == ["I", "[J", "La/B;", "[[La/C;", "Z"]
    assert result("()[I") == "[I"
    assert (short("a.B$C"), dotted("a.B$C"), short("a.B$1"), short("a.B")) == ("B.C", "a.B.C", "B$1", "B")
    assert is_internal("java.util.List") and is_internal("kotlin.Pair") and not is_internal("javafoo.X")


SMAP = """SMAP
greet.kt
Kotlin
*S Kotlin
*F
+ 1 greet.kt
Party
+ 2 _Collections.kt
kotlin/collections/CollectionsKt___CollectionsKt
*L
1#1,37:1
1863#2,2:38
*S KotlinDebug
*F
+ 1 greet.kt
Party
*L
20#1:38,2
*E
"""


def test_a_source_map_tells_the_file_and_line_of_inlined_code():
    chart = read_map(SMAP)
    assert chart.place(12) == ("greet.kt", 12)
    assert chart.place(39) == ("kotlin/collections/_Collections.kt", 1864)
    assert chart.call_site(39) == ("greet.kt", 20) and chart.call_site(5) is None
    assert chart.place(99) is None and read_map("").place(1) is None


def test_a_finally_has_copies_and_a_call_over_lines_has_not():
    straight = bytes([0x03, 0x3C, 0x1B, 0x57, 0xB1])  # iconst_0 istore_1 iload_1 pop return
    assert copies([0, 3], straight) == [0]
    twice = bytes([0x03, 0xA7, 0x00, 0x04, 0x03, 0xB1])  # iconst_0 goto +4 iconst_0 return
    assert copies([0, 4], twice) == [0, 4]
    assert breaks(twice) == [1, 5]


def test_switches_and_wide_instructions_are_measured():
    table = bytes([0xAA, 0, 0, 0]) + b"\0\0\0\x10" + b"\0\0\0\0" + b"\0\0\0\x01" + b"\0" * 8 + bytes([0xB1])
    assert breaks(table) == [0, 24]
    assert breaks(bytes([0xC4, 0x84, 0, 1, 0, 1, 0xB1])) == [6]


@given(st.binary(max_size=50))
def test_no_bytes_break_the_readers_of_code(data):
    assert breaks(data) == sorted(breaks(data))
    class_name(data)


def test_what_is_no_class_file_is_refused():
    assert class_name(b"PK\x03\x04") == ""
    with pytest.raises(ValueError):
        publicise(b"PK")


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("plain", [Part("plain")]),
        ("a {b} c", [Part("a "), Part("b", True), Part(" c")]),
        ("{{{x}}}", [Part("{"), Part("x", True), Part("}")]),
        ('{m.get("}")}', [Part('m.get("}")', True)]),
        ("{f(new int[]{1})}", [Part("f(new int[]{1})", True)]),
    ],
)
def test_log_messages_are_cut_at_their_braces(message, parts):
    assert read_template(message) == parts


@pytest.mark.parametrize("message", ["{open", "close}", "{a {b}"])
def test_lone_braces_are_refused(message):
    with pytest.raises(UsageError):
        read_template(message)


def test_stops_of_one_moment_are_one():
    merged = merge([Stop("step", 1, ids=[]), Stop("function breakpoint", 1, ids=[2]), Stop("breakpoint", 1, ids=[1])])
    assert merged.reason == "breakpoint" and merged.ids == [1, 2]


@pytest.mark.parametrize(
    ("class_name", "owner", "method", "file", "told"),
    [
        ("shop.Cart", "Cart", "total", "Cart.java", "Cart.total"),
        ("shop.Cart", "Cart", "$plus$eq", "Cart.scala", "Cart.+="),
        ("shop.Shop$", "Shop$", "main", "Shop.scala", "Shop.main"),
        ("shop.Cart", "Cart", "odd$u0020name", "Cart.scala", "Cart.odd name"),
        ("shop.Cart", "Cart", "total$$anonfun$1", "Cart.scala", "Cart.total.<function>"),
        ("shop.Cart", "Cart", "$anonfun$total$1", "Cart.scala", "Cart.total.<function>"),
        ("shop.Cart$package$", "Cart.package", "$anonfun$1", "Cart.scala", "<function>"),
        ("shop.Cart$package$", "Cart.package", "shop", "Cart.scala", "shop"),
        ("Cart$_total_closure1", "Cart._total_closure1", "doCall", "shop.groovy", "Cart.total.<closure>"),
        ("my.cart$all_QMARK_", "cart.all_QMARK_", "invokeStatic", "cart.clj", "my.cart/all?"),
        ("cart$_main", "cart._main", "doInvoke", "cart.clj", "cart/-main"),
        ("FlowKt$main$run$1", "FlowKt$main$run$1", "invokeSuspend", "flow.kt", "FlowKt.main.run.<suspend>"),
        ("FlowKt", "FlowKt", "main$lambda$2", "flow.kt", "FlowKt.main.<lambda>"),
        ("FlowKt", "FlowKt", "main", "flow.kt", "FlowKt.main"),
    ],
)
def test_functions_are_told_as_their_language_writes_them(class_name, owner, method, file, told):
    assert plain_function(class_name, owner, method, file) == told


def test_a_methods_returns_are_found():
    assert returns(bytes([0x03, 0xAC, 0x04, 0xAC])) == [1, 3] and returns(b"") == []
