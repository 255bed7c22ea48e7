# ruff: noqa: E501
"""Python's structure: kinds, functions, statements, executable lines."""

import argparse
import ast
import calendar
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dapwright.core import anchors, source
from dapwright.core.errors import AnchorAmbiguous, AnchorNotFound, UsageError
from dapwright.core.source import structure as structure_module
from dapwright.core.source.python import table

SHAPES = '''import os

@first(
    1)
@second
async def outer(a, b=(
        1)):
    """Say
    count = 0
    """
    async with a as x:  # c
        async for y in x:
            await y
    def inner():
        return 1
    value = [
        n  # one
        for n in a
        if n
    ]
    return (
        lambda: (
            value))

class Shape:
    """Of a class."""
    size: int = 1
    table = {
        "#": "a # b",  # c
    }

    def inner(self):
        match self:
            case [1, 2]:
                return 1
            case _:
                pass
        try:
            go()
        except ValueError:
            stop()
        else:
            more()
        finally:
            end()
        # a last comment

    @property
    def inner(self): return 2

query = """
SELECT 1  # no comment
"""  # a comment
assert (
    query
)
(
    query
    .strip()
)
text = "a" \\
    "b"
'''


def of(text, **given):
    return source.Structure(source.of_text("x.py", text), **given)


def line_of(text, start, nth=1):
    return [n for n, line in enumerate(source.split(text), 1) if line.strip().startswith(start)][nth - 1]


def test_functions_have_qualified_names_and_bodies():
    functions = of(SHAPES).functions
    assert [f.qualified for f in functions] == ["outer", "outer.inner", "Shape", "Shape.inner", "Shape.inner"]
    outer = functions[0]
    assert (outer.first, outer.line) == (line_of(SHAPES, "@first"), line_of(SHAPES, "async def"))
    assert (outer.body, outer.last) == (line_of(SHAPES, "async with"), line_of(SHAPES, "value))"))
    assert functions[-1].line == functions[-1].body, "a body on the line of its head"


@pytest.mark.parametrize(
    ("start", "kind", "code"),
    [
        ("async with", "code", "async with a as x:"),
        ("count = 0", "string", "count = 0"),
        ('"#":', "code", '"#": "a # b",'),
        ("SELECT", "string", "SELECT 1  # no comment"),
        ('"""  # a', "string", '"""'),
        ("# a last", "comment", ""),
        ("n  # one", "code", "n"),
    ],
)
def test_kinds_and_code(start, kind, code):
    structure, line = of(SHAPES), line_of(SHAPES, start)
    assert (structure.kind(line), structure.code(line).strip()) == (kind, code)


@pytest.mark.parametrize(
    ("start", "to"),
    [
        ("n  # one", "value = ["), ("if n", "value = ["), ("value))", "return ("), ("1)", "@first("), ("1)):", "async def"),
        ("SELECT", "query ="), ('"b"', "text ="), ("else:", "more()"), ("finally:", "end()"), (".strip()", "query", ),
        ("case [1", "case [1"), ("except", "except"),
    ],
)  # fmt: skip
def test_lines_move_to_where_their_statement_begins_to_run(start, to):
    target, told = anchors.move(of(SHAPES), line_of(SHAPES, start))
    wanted = line_of(SHAPES, to, 3) if start == ".strip()" else line_of(SHAPES, to)
    assert target == wanted and (told or target == line_of(SHAPES, start))


def test_an_assertion_is_bound_where_its_test_runs_not_where_it_fails():
    assert anchors.move(of(SHAPES), line_of(SHAPES, "assert ("))[0] == line_of(SHAPES, "assert (") + 1


def test_the_last_comment_of_a_function_belongs_to_it_and_has_nowhere_to_go():
    line = line_of(SHAPES, "# a last")
    assert of(SHAPES).function_at(line).qualified == "Shape.inner"
    with pytest.raises(UsageError, match=r"no line after it of `Shape.inner`"):
        anchors.move(of(SHAPES), line)


def test_a_docstrings_text_is_not_an_anchor():
    with pytest.raises(AnchorNotFound, match="docstring"):
        anchors.resolve(of(SHAPES), statement="count = 0")


def test_text_inside_another_literal_is_an_anchor_and_moves_to_its_statement():
    found = anchors.resolve(of(SHAPES), statement="SELECT 1  # no comment")
    assert found.exact and anchors.move(of(SHAPES), found.line)[0] == line_of(SHAPES, "query =")


@pytest.mark.parametrize("name", ["inner", "Shape.inner"])
def test_a_statement_in_a_function_of_several_definitions_is_ambiguous(name):
    with pytest.raises(AnchorAmbiguous, match=f"functions of `x.py` are named `{name}`") as told:
        anchors.resolve(of(SHAPES), statement="return 1", function=name)
    assert "nearLine" in told.value.hint
    near = line_of(SHAPES, "match self")
    assert anchors.resolve(of(SHAPES), statement="return 1", function=name, near_line=near).line == line_of(
        SHAPES, "return 1", 2
    )


def test_a_statement_of_several_lines_ignores_indentation_and_blank_lines_not_comments():
    found = anchors.resolve(of(SHAPES), statement="value = [\nn\n\nfor n in a\nif n\n]")
    assert (found.line, found.exact) == (line_of(SHAPES, "value = ["), True)
    text = "call(\n    # why\n    1,\n)\n"
    assert anchors.resolve(of(text), statement="call(\n# why\n1,\n)").line == 1
    with pytest.raises(AnchorNotFound, match="first line is near"):
        anchors.resolve(of(text), statement="call(\n1,\n)")


def test_a_line_table_of_another_interpreter_is_believed():
    structure = of("x = 1\ny = 2\n", executable=frozenset({2}))
    assert anchors.move(structure, 1)[0] == 2


def test_a_file_that_does_not_parse_is_read_by_its_tokens():
    text = '@dec\ndef f(a,\n      b):\n    """doc ("""\n    x = {1: "(",  # (\n    }\n    def g():\n        return (1\n    # c\n\ny = 1 +\n'
    structure = of(text)
    assert [(f.qualified, f.first, f.body, f.last) for f in structure.functions] == [("f", 1, 5, 8), ("f.g", 7, 8, 8)]
    assert anchors.move(structure, 6)[0] == 5 and anchors.resolve(structure, statement="return (1").line == 8


def test_a_newer_syntax_does_not_stop_the_reading():
    assert of("def f[T](x: T) -> T:\n    return x\n").named("f")


REAL = [Path(m.__file__).read_text() for m in (argparse, calendar, textwrap, ast)]


@pytest.mark.parametrize("text", REAL, ids=["argparse", "calendar", "textwrap", "ast"])
def test_every_line_of_real_sources_moves_to_one_that_runs_or_is_refused(text):
    structure = of(text)
    lines = set(table(compile(text, "x", "exec")))
    for line in range(1, len(structure.file.lines) + 1):
        try:
            target, told = anchors.move(structure, line)
        except UsageError as error:
            assert "nearest" in error.hint
            continue
        assert target in lines and (target == line or f"requested {line}, bound to {target}" in told)


@pytest.mark.parametrize("text", REAL, ids=["argparse", "calendar", "textwrap", "ast"])
def test_a_large_file_read_by_parts_is_what_it_is_as_a_whole(text, monkeypatch):
    whole = of(text)
    monkeypatch.setattr(structure_module, "LARGE", 1)
    parts = of(text)
    for line in range(1, len(whole.file.lines) + 1):
        assert parts.statement_at(line) == whole.statement_at(line), line
        assert parts.is_executable(line) == whole.is_executable(line), line
        assert parts.function_at(line) == whole.function_at(line), line
    for name in {f.name for f in whole.functions}:
        assert parts.named(name) == whole.named(name)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(REAL), st.integers(0, 10**6))
def test_any_line_of_code_is_found_by_its_own_text(text, seed):
    structure = source.structure_of(source.of_text("x.py", text))
    line = seed % len(structure.file.lines) + 1
    if (
        structure.kind(line) != "code"
        or (structure.statement_at(line) or source.Statement(1, 1, "docstring")).kind == "docstring"
    ):
        return
    found = anchors.resolve(structure, statement=structure.file.line(line), near_line=line)
    assert found.line == line and found.exact
