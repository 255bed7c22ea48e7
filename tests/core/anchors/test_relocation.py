"""An anchor follows its line through edits, or says that it cannot: never silently elsewhere."""

import argparse
import calendar
import collections
import os
import random
import re
import textwrap
from pathlib import Path

import places
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dapwright
from dapwright.core import anchors, source

FILES = [("x.py", Path(m.__file__).read_text()) for m in (argparse, calendar, textwrap, random)]
OURS = Path(dapwright.__file__).parent
BEAN = """    public static class {0} {{
        private String name;

        public {0}(String name) {{
            this.name = name;
        }}

        public String getName() {{
            return name;
        }}

        public void setName(String name) {{
            this.name = name;
        }}
    }}

"""
BEANS = "public class Beans {\n" + "".join(BEAN.format(name) for name in ("Human", "Animal", "Plant")) + "}\n"
"""Equal methods of several classes: their names alone tell them apart, and a moved line can change those."""
GROWS = """struct {0} {{
    size: u32,
}}

impl {0} {{
    fn grow(&mut self, by: u32) -> u32 {{
        self.size += by;
        self.size
    }}

    fn reset(&mut self) {{
        self.size = 0;
    }}
}}

"""
OTHERS = [
    ("Beans.java", BEANS),
    ("sizes.rs", "".join(GROWS.format(name) for name in ("Box", "Crate", "Sack"))),
    *(
        (each.name, each.read_text())
        for each in (
            OURS / "inject" / "lua_agent.lua",
            OURS / "inject" / "perl" / "Devel" / "Dapwright.pm",
            OURS / "engines" / "jvm" / "CompileServer.java",
            places.FIXTURES / "java" / "Tour.java",
            places.FIXTURES / "go" / "cases" / "cases_test.go",
            places.FIXTURES / "go" / "values" / "main.go",
            places.FIXTURES / "javascript" / "values.js",
            places.FIXTURES / "native" / "forks.c",
            places.FIXTURES / "ruby" / "story.rb",
        )
    ),
]
"""Sources of other languages."""
HEAD = re.compile(r"(?:    |\t)?(?:def|class|func|function|fn|sub|static|public|private|int|void|async|export)\b")
TWINS = """def first(items):
    count = 0
    for item in items:
        count += 1
    return count


def second(items):
    count = 0
    for item in items:
        count += 2
    return count


print(first([1]), second([2]))
"""
COUNTS = collections.Counter()


def of(text, path="x.py"):
    return source.Structure(source.of_text(path, text))


def again(before, line, after, statement=None, path="x.py"):
    structure = of(before, path)
    statement = statement or structure.file.line(line)
    around = anchors.surroundings(structure, line, statement)
    return anchors.relocate(of(after, path), statement=statement, surroundings=around, old_line=line)


def test_an_unchanged_file_keeps_the_line():
    found = again(TWINS, 9, TWINS)
    assert (found.line, found.status) == (9, "same")


def test_lines_inserted_above_move_the_anchor():
    found = again(TWINS, 9, "# one\n# two\n" + TWINS)
    assert (found.line, found.status) == (11, "moved") and len(found.candidates) == 2


def test_of_swapped_functions_the_anchor_follows_its_own():
    first, rest = TWINS[: TWINS.index("def second")], TWINS[TWINS.index("def second") :]
    second, tail = rest[: rest.index("print")], rest[rest.index("print") :]
    assert again(TWINS, 9, second + first + tail).line == 2
    assert again(TWINS, 2, second + first + tail).line == 9


def test_an_edited_statement_is_gone_and_the_nearest_is_told():
    found = again(TWINS, 11, TWINS.replace("count += 2", "count += 3"))
    assert (found.line, found.status) == (None, "gone")
    assert "count += 3" in str(found.candidates) and "any more" in found.reason


def test_a_statement_that_became_a_comment_is_gone():
    found = again(TWINS, 11, TWINS.replace("count += 2", "pass  # count += 2"))
    assert found.status == "gone" and "comment" in found.reason


def test_the_last_of_the_twins_is_not_taken_for_the_deleted_one():
    after = TWINS.replace(
        "def second(items):\n    count = 0\n    for item in items:", "def second(items):\n    for item in items:"
    )
    found = again(TWINS, 9, after)
    assert (found.line, found.status) == (None, "ambiguous") and found.candidates


def test_a_twin_added_in_the_same_function_is_ambiguous_since_either_may_be_the_copy():
    after = TWINS.replace(
        "        count += 2\n", "        count += 2\n        if item:\n            print()\n            count = 0\n"
    )
    found = again(TWINS, 9, after)
    assert found.status == "ambiguous" and {line for line, _ in found.candidates} == {2, 9, 14}


def test_a_twin_added_in_another_function_leaves_the_anchor_alone():
    after = TWINS.replace("        count += 1\n", "        count += 1\n        count = 0\n")
    assert again(TWINS, 9, after).line == 10


def test_a_copied_function_makes_the_anchor_ambiguous():
    second = TWINS[TWINS.index("def second") : TWINS.index("print")]
    found = again(TWINS, 9, TWINS + second)
    assert found.status == "ambiguous" and {line for line, _ in found.candidates} == {2, 9, 17}


@pytest.mark.parametrize("nth", [0, 1, 2])
def test_of_equal_methods_the_one_whose_class_kept_its_place_is_followed(nth):
    line = [n for n, text in enumerate(BEANS.split("\n"), 1) if "return name" in text][nth]
    assert again(BEANS, line, "// head\n" + BEANS, path="Beans.java").line == line + 1


def test_an_equal_method_is_not_followed_into_the_class_that_took_the_old_ones_name():
    line = [n for n, text in enumerate(BEANS.split("\n"), 1) if "return name" in text][0]
    swapped = {"class Human": "class Animal", "class Animal": "class Human"}
    after = re.sub("class (Human|Animal)", lambda found: swapped[found[0]], BEANS)
    after = after.replace("return name;", "return this.name + name;", 1)
    assert again(BEANS, line, after, path="Beans.java").line is None


def test_a_renamed_function_keeps_its_anchor_by_the_lines_around():
    text = TWINS.replace("count += 2", "count += len(item)").replace(
        "return count\n\n\nprint", "return count * 2\n\n\nprint"
    )
    assert again(text, 9, text.replace("def second", "def renamed")).status in ("same", "ambiguous")
    assert again(text, 11, text.replace("def second", "def renamed")).line == 11


def test_a_unique_line_follows_wherever_it_went():
    lines = TWINS.split("\n")
    moved = [*lines[:10], *lines[11:13], "def third(count):", lines[10], *lines[13:]]
    assert again(TWINS, 11, "\n".join(moved)).line == 14


def test_a_statement_of_several_lines_follows_as_a_whole():
    text = "call(\n    1,\n    2,\n)\ncall(\n    1,\n    3,\n)\n"
    assert again(text, 5, "x = 1\n" + text, "call(\n    1,\n    3,\n)").line == 6


def insert(lines, rng):
    at = rng.randrange(len(lines) + 1)
    other = rng.choice(lines)[1]
    text = rng.choice(["", "    # a comment", "    inserted = 1", other, other, "def inserted():", "    pass"])
    return [*lines[:at], (None, text), *lines[at:]]


def delete(lines, rng):
    at, count = rng.randrange(len(lines)), rng.choice([1, 1, 1, 2, 5])
    return [p for i, p in enumerate(lines) if not at <= i < at + count or p[0] == "anchor"]


def move(lines, rng):
    at = rng.randrange(len(lines))
    if lines[at][0] == "anchor":
        return lines
    rest = [*lines[:at], *lines[at + 1 :]]
    to = rng.randrange(len(rest) + 1)
    return [*rest[:to], lines[at], *rest[to:]]


def parts(lines):
    heads = [i for i, (_, t) in enumerate(lines) if HEAD.match(t)]
    return [*heads, len(lines)]


def swap(lines, rng):
    """Swap two functions of different heads: of two alike in two classes, text cannot tell that they changed places."""
    heads = parts(lines)
    if len(heads) < 4:
        return lines
    a, b = sorted(rng.sample(range(len(heads) - 1), 2))
    one, two = lines[heads[a] : heads[a + 1]], lines[heads[b] : heads[b + 1]]
    if one[0][1] == two[0][1]:
        return lines
    return [*lines[: heads[a]], *two, *lines[heads[a + 1] : heads[b]], *one, *lines[heads[b + 1] :]]


def duplicate(lines, rng):
    heads = parts(lines)
    if rng.random() < 0.5 and len(heads) > 1:
        at = rng.randrange(len(heads) - 1)
        first, last = heads[at], heads[at + 1]
    else:
        first = rng.randrange(len(lines))
        last = min(len(lines), first + rng.randrange(1, 8))
    to = rng.choice([last, rng.randrange(len(lines) + 1)])
    return [*lines[:to], *((None, t) for _, t in lines[first:last]), *lines[to:]]


def edited(text, line, seed, count):
    rng = random.Random(seed)
    lines = [("anchor" if n == line else None, t) for n, t in enumerate(source.split(text), 1)]
    for _ in range(count):
        lines = rng.choice([insert, insert, delete, delete, move, swap, duplicate])(lines, rng)
    at = next(i for i, (mark, _) in enumerate(lines, 1) if mark)
    return "\n".join(t for _, t in lines) + "\n", at


def words(structure, line):
    """What closes a block names no place: in Python every line counts, elsewhere those that say something."""
    return structure.file.language == "python" or re.search(r"\w{2}.*[(=]", structure.code(line))


STRUCTURES = [of(text, path) for path, text in [*FILES, ("x.py", TWINS), *OTHERS]]
CODE = [
    [n for n in range(1, len(s.file.lines) + 1) if s.kind(n) == "code" and not s.lexis.inside(n + 1) and words(s, n)]
    for s in STRUCTURES
]
TWINNED = [
    [n for n in code if sum(t.strip() == s.file.line(n).strip() for t in s.file.lines) > 1]
    for s, code in zip(STRUCTURES, CODE, strict=True)
]


WHICH = [n for n in range(len(STRUCTURES)) for _ in range(3 if n < len(FILES) else 1) if CODE[n]]


@settings(
    max_examples=int(os.environ.get("RELOCATIONS", "400")), deadline=None, suppress_health_check=list(HealthCheck)
)
@given(st.sampled_from(WHICH), st.integers(0, 2**32), st.integers(1, 6), st.booleans())
def test_random_edits_never_lead_an_anchor_silently_elsewhere(which, seed, count, twinned):
    structure, rng = STRUCTURES[which], random.Random(seed)
    line = rng.choice((TWINNED[which] if twinned else []) or CODE[which])
    after, at = edited(structure.file.text, line, seed, count)
    statement = structure.file.line(line)
    around = anchors.surroundings(structure, line, statement)
    now = of(after, structure.file.path)
    found = anchors.relocate(now, statement=statement, surroundings=around, old_line=line)
    whose = "python" if structure.file.language == "python" else "others"
    outcome = "followed" if found.line == at else found.status
    COUNTS[f"{whose} {'twins' if around.total > 1 else 'unique'} {outcome}"] += 1
    if found.line is None:
        assert found.status in ("ambiguous", "gone") and found.reason
    else:
        assert found.line == at, (which, seed, line, at, found)


def test_the_counts_of_the_random_edits_are_told(capsys):
    """The property above means little if nearly all anchors are given up."""
    if not COUNTS:
        pytest.skip("the property did not run in this process")
    with capsys.disabled():
        print("\nrelocation after random edits:", dict(sorted(COUNTS.items())))
    followed = sum(n for name, n in COUNTS.items() if name.endswith("followed"))
    assert followed > sum(COUNTS.values()) / 2
