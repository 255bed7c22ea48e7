# ruff: noqa: E501
"""Text and lines, counted as Python itself counts them."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dapwright.core import source
from dapwright.core.errors import UsageError

ODD = ["\n", "\r\n", "\r", "\f", "\x0b", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "a", "é", "\t", " ", "𝄞"]


def test_only_three_line_ends_count():
    assert source.split("a\nb\r\nc\rd\fe\x0bf\x85g\u2028h\x1ci") == ("a", "b", "c", "d\fe\x0bf\x85g\u2028h\x1ci")
    assert source.split("") == () and source.split("\n") == ("",) and source.split("a\n\n") == ("a", "")


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(ODD), max_size=30).map("".join))
def test_a_line_has_the_number_that_the_compiler_gives_it(odd):
    text = f"'''{odd}'''\ntarget = 1\n"
    (node,) = [n for n in ast.parse(text).body if isinstance(n, ast.Assign)]
    file = source.read("x.py", text.encode())
    assert file.line(node.lineno) == "target = 1" and len(file.lines) == node.lineno


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ODD), max_size=30).map("".join))
def test_text_and_lines_agree(odd):
    file = source.read("x.txt", odd.encode())
    assert file.text == "".join(line + "\n" for line in file.lines)
    assert [file.text[a : b - 1] for a, b in zip(file.starts, file.starts[1:], strict=False)] == list(file.lines)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\n", "utf-8"),
        (
            "# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1"),
            "# -*- coding: latin-1 -*-\ns = 'é'\n",
            "iso-8859-1",
        ),
        ("#!x\n# vim: set fileencoding=cp1252 :\ns = '€'\n".encode("cp1252"), None, "cp1252"),
        (b"# coding: no-such-thing\nx = 1\n", "# coding: no-such-thing\nx = 1\n", "utf-8"),
        (b"s = '\xff'\n", "s = '\ufffd'\n", "utf-8"),
        ("x = 1\n".encode("utf-16"), "x = 1\n", "utf-16-le"),
        (b"", "", "utf-8"),
    ],
)
def test_bytes_are_decoded_by_the_languages_own_rules(data, text, encoding):
    file = source.read("x.py", data)
    assert file.encoding == encoding
    assert file.text == (text if text is not None else data.decode("cp1252"))


def test_a_cookie_means_nothing_outside_python():
    assert source.read("x.rb", "# coding: latin-1\ns = 'é'\n".encode()).line(2) == "s = 'é'"


def test_a_binary_file_is_refused():
    with pytest.raises(UsageError, match="binary"):
        source.read("x.py", b"\x7fELF\0\0\0")


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a/b.py", b"", "python"), ("a\\b.TSX", b"", "tsx"), ("x.C", b"", "cpp"), ("x.h", b"", "c"), ("Rakefile", b"", "ruby"),
        ("tool", b"#!/usr/bin/env python3\n", "python"), ("tool", b"#!/bin/sh -e\n", "bash"), ("tool", b"#!/usr/bin/env -S node --x\n", "javascript"),
        ("x.unknown", b"", ""), (".py", b"", ""), ("", b"", ""), ("x.py.txt", b"", ""),
    ],
)  # fmt: skip
def test_a_language_is_known_by_the_extension_or_the_first_line(path, head, language):
    assert source.language_of(path, head) == language
