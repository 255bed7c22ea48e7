"""Where a breakpoint lands, in the shapes that the field reported as wrong."""

import pytest

from dapwright.core import anchors, source
from dapwright.core.errors import AnchorAmbiguous, AnchorNotFound, ContentMismatch, UsageError

TWINS = '''"""The same text on several lines."""


def first(items):
    count = 0
    return count


def second(items):
    count = 0
    return count


def third(url):
    link = "http://example.test/#top"  # a string with // and # inside
    count = 0
    # count = 99
    return link, count
'''
DECORATED = '''import functools

def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args)
    return wrapper

@traced
@functools.lru_cache(
    maxsize=4)
def cube(n):
    """Docstring first."""
    value = n ** 3
    return value

class Box:
    def cube(self, n):
        return n + 100

print(cube(2), Box().cube(2))
'''
BLANKS = '''def run():
    a = 1

    # only a comment here
    b = 2
    return a + b


"""module level string,
not executable in practice"""
print(run())
'''
SNAP = """def build(
    left,
    right,
):
    # a comment the debugger cannot stop on

    joined = left + right
    return joined


result = build(
    "a",
    "b",
)
"""


def of(text, path="x.py"):
    return source.Structure(source.of_text(path, text))


def line_of(text, start, nth=1):
    found = [n for n, line in enumerate(source.split(text), 1) if line.strip().startswith(start)]
    return found[nth - 1]


def test_several_equal_lines_are_all_listed():
    with pytest.raises(AnchorAmbiguous) as told:
        anchors.resolve(of(TWINS), statement="count = 0")
    for nth in (1, 2, 3):
        assert f"{line_of(TWINS, 'count = 0', nth)}: count = 0" in str(told.value)
    assert "nearLine" in told.value.hint and "function" in told.value.hint


def test_near_line_takes_the_closest_and_warns_with_all():
    found = anchors.resolve(of(TWINS), statement="count = 0", near_line=line_of(TWINS, "def second"))
    assert found.line == line_of(TWINS, "count = 0", 2)
    assert len(found.candidates) == 3 and "3 lines match" in found.warning


def test_a_tie_takes_the_smaller_line():
    text = "a = 1\nb = 2\na = 1\n"
    assert anchors.resolve(of(text), statement="a = 1", near_line=2).line == 1


def test_a_function_narrows_to_its_body():
    found = anchors.resolve(of(TWINS), statement="count = 0", function="second")
    assert (found.line, found.warning) == (line_of(TWINS, "count = 0", 2), "")


def test_marks_inside_a_string_are_code():
    found = anchors.resolve(of(TWINS), statement='link = "http://example.test/#top"')
    assert found.exact and found.line == line_of(TWINS, "link")
    with pytest.raises(AnchorNotFound, match="nearest"):
        anchors.resolve(of(TWINS), statement='link = "http://example.test/#bottom"')


@pytest.mark.parametrize("statement", ["", "   ", "# count = 99", "\t# count = 99", "\n\n", "# a\n# b"])
def test_blank_and_comment_only_text_is_refused(statement):
    with pytest.raises(UsageError, match="blank|comment"):
        anchors.resolve(of(TWINS), statement=statement)


def test_text_that_only_a_comment_has_is_refused_as_such():
    with pytest.raises(AnchorNotFound, match="only a comment"):
        anchors.resolve(of(TWINS), statement="count = 99")


def test_c03_windows_ends_and_tabs_neither_shift_nor_hide_a_line():
    file = source.read("crlf.py", b"def area(w, h):\r\n\tresult = w * h\t# tabbed\r\n\treturn result\r\n")
    structure = source.Structure(file)
    assert anchors.resolve(structure, statement="result = w * h").line == 2
    assert anchors.check_line(structure, 2, "result = w * h\t# tabbed").exact
    assert anchors.check_line(structure, 2, "    result = w * h    # tabbed").line == 2
    assert "\r" not in anchors.check_line(structure, 2).content
    with pytest.raises(AnchorNotFound, match=r"differs only in its blanks from:\n  3: a\\t= b"):
        anchors.resolve(of("x = 1\n\ny = 2\n".replace("y = 2", "a\t= b")), statement="a = b")


def test_c05_odd_characters_are_no_line_ends():
    text = "# one\n\f# two\nodd = 'a\u2028b'\nnel = 'c\x85d'\nvt = 'e\x0bf'\ntarget = odd + nel + vt\n"
    assert anchors.resolve(of(text), statement="target = odd + nel + vt").line == 6
    assert anchors.check_line(of(text), 6, "target = odd + nel + vt").exact


@pytest.mark.parametrize(("line", "to"), [(3, 5), (4, 5), (5, 5), (10, 9), (11, 11)])
def test_c09_lines_that_hold_nothing_move_forward_and_say_so(line, to):
    target, told = anchors.move(of(BLANKS), line)
    assert target == to
    assert told == "" if line == to else f"requested {line}, bound to {to}" in told


def test_c09_a_blank_line_behind_a_function_is_refused_with_its_neighbours():
    with pytest.raises(UsageError) as told:
        anchors.move(of(BLANKS), 7)
    assert "6: `return a + b`" in told.value.hint


def test_c09_a_line_past_the_end_is_refused_with_the_length():
    for call in (
        lambda: anchors.move(of("x = 1\nprint(x)\n"), 99),
        lambda: anchors.check_line(of("x = 1\nprint(x)\n"), 99),
    ):
        with pytest.raises(UsageError, match="has 2 lines"):
            call()


def test_c11_a_bare_name_means_every_function_at_its_body():
    assert [(f.qualified, f.body) for f in anchors.functions(of(DECORATED), "cube")] == [("cube", 14), ("Box.cube", 19)]
    assert [f.body for f in anchors.functions(of(DECORATED), "Box.cube")] == [19]
    assert [f.qualified for f in anchors.functions(of(DECORATED), "traced.wrapper")] == ["traced.wrapper"]
    with pytest.raises(UsageError, match=r"no function `nope`(?s:.*)12: cube"):
        anchors.functions(of(DECORATED), "nope")


@pytest.mark.parametrize(("line", "to"), [(9, 9), (10, 10), (11, 10), (12, 12)])
def test_c11_definition_lines_warn_that_they_fire_at_definition(line, to):
    target, told = anchors.move(of(DECORATED), line)
    assert target == to and "when the function is defined" in told and "begins at 14" in told


def test_c11_a_docstring_moves_to_the_body():
    target, told = anchors.move(of(DECORATED), 13)
    assert target == 14 and "documentation" in told


def test_c13_trailing_comments_may_be_left_out():
    text = 'limit = 10                 # upper bound\nlabel = "a # not comment"  # tricky\nlimit -= 1\n'
    assert anchors.resolve(of(text), statement="limit = 10").exact
    assert anchors.resolve(of(text), statement="limit = 10  # another").exact
    assert anchors.resolve(of(text), statement='label = "a # not comment"').line == 2
    with pytest.raises(AnchorAmbiguous, match="2 lines"):
        anchors.resolve(of(text), statement="limit")


def test_lines_of_a_statement_move_to_its_first():
    assert [anchors.move(of(SNAP), n)[0] for n in (2, 4, 5, 6, 12, 14)] == [1, 1, 7, 7, 11, 11]


def test_a_mismatch_shows_expected_actual_and_neighbours():
    with pytest.raises(ContentMismatch) as told:
        anchors.check_line(of(SNAP), 8, "joined = left + right")
    message = str(told.value)
    assert "expected: joined = left + right" in message and "actual:   return joined" in message
    assert "7:     joined = left + right" in message and "line 7" in told.value.hint


def test_a_relaxed_match_warns():
    found = anchors.check_line(of(SNAP), 7, "left + right")
    assert not found.exact and "only a part" in found.warning
