"""A statement within a line: its column, where code stands before it."""

import pytest

from dapwright.core.anchors import column
from dapwright.core.source.text import read

LINE = "  const big = (a) => { const q = a; return '😀' + q; }; run();"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("const big = (a) =>", None),
        ("const q = a;", LINE.index("const q") + 1),
        ("run();", LINE.index("run()") + 2),  # the protocol counts an astral character twice
        ("return '😀' + q;\n  more();", LINE.index("return") + 1),
        ("not there", None),
    ],
)
def test_a_statement_that_begins_its_line_has_no_column_and_another_has_its_own(statement, expected):
    file = read("/x/a.js", f"first();\n{LINE}\n".encode())
    assert column(file, 2, statement) == expected
