"""The shortcuts of the search and of the refusal answer as the long way does."""

import json
from pathlib import Path

import pytest

from dapwright.core.anchors.resolution import only_blanks_differ
from dapwright.core.anchors.search import in_literal, search, wanted
from dapwright.core.anchors.words import squeezed
from dapwright.core.source import Structure, of_text, read


def test_a_return_is_found_as_code_and_not_within_a_literal() -> None:
    known = Structure(of_text("a.js", "function f() {\n  return 1;\n}\nconst t = `\n  return 1;\n`;\n// return 1;\n"))
    assert search(known, wanted(known.file, "return 1;")).lines == (2,)


@pytest.mark.parametrize("text", ["x = f( 1 )", "x=f(1)", "x\t=  f(1)", "x = f(2)", "x = x + fx", "fx=f(fx)"])
def test_lines_that_differ_in_blanks_are_all_found(text: str) -> None:
    file = of_text(
        "a.py", "x = f(1)\n  x=f( 1)\nx = f(1) + 1\n\x0cx = f(1)\nx =\nf(1)\nx=x + fx\nelse if(x)\nfx = f(fx)\n"
    )
    expected = [n for n, line in enumerate(file.lines, 1) if squeezed(line) == squeezed(text)]
    assert only_blanks_differ(file, text) == expected


def test_a_line_begins_in_a_literal_where_its_kind_is_string() -> None:
    path = Path(json.__file__).with_name("decoder.py")
    known = Structure(read(str(path), path.read_bytes()))
    kinds = [known.kind(n) == "string" for n in range(1, len(known.file.lines) + 1)]
    assert any(kinds)
    assert [in_literal(known, n) for n in range(1, len(kinds) + 1)] == kinds
