# ruff: noqa: E501
"""What a line is, language by language: marks inside literals are code, literals of several lines are told, and so on.

Each sample marks its own expectations in the text beside it: (start of a line, kind, its code).
"""

import pytest

from dapwright.core import source
from dapwright.core.source import grammars, rules

SAMPLES = {
    "x.js": ("""const a = "http://x/#y"; // trail
const re = /["'`]\\/\\//; // after regex
const t = `line one
  // in a template ${a /* c */}
`; // real
/* block
   x = 1;
*/ let b = 2; // c
class Cart { // k
  total(items,
        tax) {
    return items.map((i) => i.price // inner
      + tax);
  }
  handler = () => {
    go();
  };
}
if (b)
  single();
foo(function () {
  called();
  // c
}, 5000);
""", ["Cart.total", "Cart.handler"], [
        ("const a", "code", 'const a = "http://x/#y";'), ("const re", "code", "const re = /[\"'`]\\/\\//;"),
        ("// in a template", "string", "// in a template ${a /* c */}"), ("`; // real", "string", "`;"),
        ("x = 1", "comment", ""), ("*/ let b", "code", "let b = 2;"), ("return", "code", "return items.map((i) => i.price"),
    ], [("tax) {", "total(items"), ("+ tax", "return items"), ("single()", "single()"), ("called()", "called()")]),
    "x.ts": ("""abstract class B<T> {
  constructor(private x: number) {
    super(); // c
  }
}
namespace N {
  export function g<T>(a: T): T {
    return a;
  }
}
""", ["B.constructor", "N.g"], [("super", "code", "super();")], []),
    "x.go": ("""package main
var s = `raw // not
 # still`
func (c *Cart[T]) Total(a int,
\tb int) int {
\tr := '"' // quote
\treturn x.
\t\tCall()
}
""", ["Cart.Total"], [("r :=", "code", "r := '\"'"), ("# still", "string", "# still`")],
             [("b int)", "func (c"), ("Call()", "return x")]),
    "x.rs": ("""/* outer /* inner */ still */ fn a<'a>(x: &'a str) -> i32 {
    let r = r#"raw " // no"#; // yes
    let s = "multi
      // inside
    "; // out
    x.iter()
        .map(|v| {
            v + 1
        })
        .sum()
}
/* one /* two */
   x = 1 */
impl<T> Foo<T> for Bar<T> {
    fn new() -> Self {
        Self {}
    }
}
""", ["a", "Bar.new"], [("let r", "code", 'let r = r#"raw " // no"#;'), ("// inside", "string", "// inside"),
                        ("x = 1 */", "comment", "")], [(".sum()", "x.iter()"), ("v + 1", "v + 1"), ("Self {}", "Self {}")]),
    "x.c": ("""static int *add(int a, /* c */
        int b) // t
{
    int x = '"'; // q
    if (a)
        x++;
    return "a//b"[0]
        + x;
}
""", ["add"], [("int x", "code", "int x = '\"';"), ("return", "code", 'return "a//b"[0]'), ("int b)", "code", "int b)")],
            [("+ x", "return"), ("x++", "x++")]),
    "x.cpp": ("""namespace ns {
class Cart { int total() const { return 1; } };
int Cart::add(int x) {
  auto s = R"(raw // no
  " # )"; // yes
  return x;
}
}
""", ["Cart.total", "add"], [('" # )"', "string", '" # )";')], [('" # )"', "auto s")]),
    "X.java": ("""class Outer {
  @Override
  public String toString() {
    String s = \"\"\"
      // text
      \"\"\"; // c
    list.forEach(x -> {
      go(x);
    });
    return s;
  }
}
""", ["Outer.toString"], [("// text", "string", "// text")], [("// text", "String s"), ("go(x)", "go(x)")]),
    "x.kt": ("""/* a /* b */ c */
class A(val x: Int) {
    fun go(a: Int): Int {
        when (a) {
            1 -> one() // c
        }
        return a
    }
}
""", ["A.go"], [("/* a", "comment", ""), ("1 ->", "code", "1 -> one()")], [("1 ->", "1 ->")]),
    "x.rb": ("""module M
  class C
    def go(a,
           b)
      s = "a # no #{b} # no" # yes
      t = <<~EOS
        # text
      EOS
      r = /#[a]/ # after
      a
    end
    def self.make; new; end
  end
end
=begin
x = 1
=end
""", ["M.C.go", "C.make"], [("s =", "code", 's = "a # no #{b} # no"'), ("# text", "string", "# text"),
                            ("r =", "code", "r = /#[a]/"), ("x = 1", "comment", "")], [("b)", "def go"), ("# text", "t =")]),
    "x.php": ("""<?php
class Cart {
    #[Attr]
    public function total(int $a) {
        $s = "a // b # c"; // t
        $u = 'x # y'; # t2
        $h = <<<EOT
  // text $a
EOT;
        return $a;
    }
}
""", ["Cart.total"], [("$s", "code", '$s = "a // b # c";'), ("$u", "code", "$u = 'x # y';"), ("// text", "string", "// text $a")],
              [("// text", "$h")]),
    "x.cs": ("""namespace N {
  class A {
    int Go(int a) {
      var s = @"a // b
        // c"; // real
      var i = $"{a} // no"; // yes
      return a;
    }
  }
}
""", ["A.Go"], [('// c"', "string", '// c";'), ("var i", "code", 'var i = $"{a} // no";')], [('// c"', "var s")]),
    "x.sh": ("""#!/bin/bash
x="a # b" # c
echo ${#x} ${x#y} # c
f() {
  cat <<EOF
# text
EOF
  if [ $# -gt 1 ]; then
    go
  fi
}
""", ["f"], [("#!", "comment", ""), ("x=", "code", 'x="a # b"'), ("echo", "code", "echo ${#x} ${x#y}"),
             ("# text", "string", "# text")], [("go", "go")]),
    "x.lua": ("""--[[ block
x = 1 ]] local y = 2 -- c
local s = [[ text
-- no ]] -- yes
function M:go(a)
  return a -- c
end
""", ["M.go"], [("x = 1", "code", "local y = 2"), ("-- no", "string", "-- no ]]")], [("-- no", "local s")]),
    "x.pl": ("""my $s = "a # b"; # c
my $n = $#array; # c
=pod

x = 1

=cut

sub go {
  return $a; # c
}
""", ["go"], [("my $s", "code", 'my $s = "a # b";'), ("my $n", "code", "my $n = $#array;"), ("x = 1", "comment", "")], []),
    "x.swift": ("""/* a /* b */ c */
class A {
  func go(_ a: Int) -> Int {
    let s = "a // b" // c
    return a
  }
}
""", ["A.go"], [("/* a", "comment", ""), ("let s", "code", 'let s = "a // b"')], []),
    "x.dart": ("""class A {
  int go(int a) {
    var s = 'a // b'; // c
    return a;
  }
}
""", ["A.go"], [("var s", "code", "var s = 'a // b';")], []),
    "x.scala": ("""object M {
  def go(a: Int): Int = {
    val s = "a // b" // c
    a
  }
}
""", ["M.go"], [("val s", "code", 'val s = "a // b"')], []),
    "x.f90": ("""subroutine go(a)
  print *, "a ! b" ! c
  call foo(a, &
    b)
end subroutine
""", ["go"], [("print", "code", 'print *, "a ! b"')], [("b)", "call foo")]),
    "x.adb": ("""procedure Main is
begin
   Put ("a -- b"); -- c
end Main;
""", ["Main"], [("Put", "code", 'Put ("a -- b");')], []),
    "x.zig": ("""fn add(a: i32) i32 {
    const s = "a // b"; // c
    return a;
}
""", ["add"], [("const s", "code", 'const s = "a // b";')], []),
    "x.hs": ("""{- a {- b -} c -}
go x = print "a -- b" -- c
""", ["go"], [("{- a", "comment", ""), ("go x", "code", 'go x = print "a -- b"')], []),
    "x.cob": ("""      * comment
       MOVE "a *> b" TO X. *> c
""", [], [("* comment", "comment", ""), ("MOVE", "code", 'MOVE "a *> b" TO X.')], []),
    "x.pas": ("""{ block
  x := 1; }
s := 'a // b'; // c
""", [], [("x := 1", "comment", ""), ("s :=", "code", "s := 'a // b';")], []),
    "x.d": ("""/+ a /+ b
 x = 1; +/ c +/
auto s = "a // b"; // c
""", [], [("x = 1", "comment", ""), ("auto s", "code", 'auto s = "a // b";')], []),
}  # fmt: skip


def of(path):
    return source.Structure(source.of_text(path, SAMPLES[path][0]))


def line_of(file, start):
    return next(n for n, text in enumerate(file.lines, 1) if text.strip().startswith(start))


@pytest.mark.parametrize("path", SAMPLES)
def test_lines_are_what_their_language_says(path):
    structure = of(path)
    for start, kind, code in SAMPLES[path][2]:
        line = line_of(structure.file, start)
        assert (structure.kind(line), structure.code(line).strip()) == (kind, code), start


@pytest.mark.parametrize("path", SAMPLES)
def test_functions_are_found_by_their_names(path):
    structure = of(path)
    for name in SAMPLES[path][1]:
        (function,) = structure.named(name)
        assert function.first <= function.body <= function.last
        assert structure.named(name.split(".")[-1]), name


@pytest.mark.parametrize("name", ["Cart.odd name", "Cart.`odd name`", "odd name"])
def test_a_name_in_backticks_is_told_without_them_and_found_by_either(name):
    structure = source.Structure(
        source.of_text("Cart.kt", "class Cart {\n    fun `odd name`() {\n        work()\n    }\n}\n")
    )
    assert [function.qualified for function in structure.named(name)] == ["Cart.odd name"]


@pytest.mark.parametrize("path", SAMPLES)
def test_lines_belong_to_the_statement_that_they_are_part_of(path):
    structure = of(path)
    for start, first in SAMPLES[path][3]:
        statement = structure.statement_at(line_of(structure.file, start))
        assert statement and statement.first == line_of(structure.file, first), start


@pytest.mark.parametrize("language", rules.RULES)
def test_every_grammar_loads_and_has_the_kinds_of_its_rule(language):
    known = grammars.grammar(language)
    assert known is not None
    have = set(grammars.kinds(known, __import__("re").compile("")))
    rule = rules.RULES[language]
    assert set(rule.functions.split()) & have, "no kind of function is known"


def test_a_language_without_a_grammar_is_read_by_its_marks(monkeypatch):
    monkeypatch.setattr(grammars, "grammar", lambda language: None)
    structure = source.Structure(
        source.of_text("x.rs", '/* a /* b */\n c */ let s = "// x"; // d\nlet c = \'"\'; // e\n')
    )
    assert [structure.code(n).strip() for n in (1, 2, 3)] == ["", 'let s = "// x";', "let c = '\"';"]
    assert [structure.is_executable(n) for n in (1, 2, 3)] == [False, True, True]


def test_the_core_is_imported_without_any_grammar():
    import subprocess
    import sys

    code = "import sys, dapwright.core.source, dapwright.core.anchors; print('tree_sitter' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout.strip()
        == "False"
    )


def test_perls_functions_are_named_by_the_package_that_they_are_in():
    text = "sub a { 1 }\npackage Box;\nsub a { 2 }\npackage Far::Away {\n  sub a { 3 }\n}\npackage main;\nsub a { 4 }\n"
    structure = source.Structure(source.of_text("x.pl", text))
    named = [f.qualified for f in structure.functions if f.kind == "function"]
    assert named == ["a", "Box.a", "Far.Away.a", "main.a"]
    assert [f.line for f in structure.named("Far::Away::a")] == [5] and not structure.is_executable(2)
