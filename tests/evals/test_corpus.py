"""The corpus of small bugs is what it says, and what policies read is counted as an agent would."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "evals"), str(ROOT / "bench")]

import bugs  # noqa: E402
from policies.evidence import ends  # noqa: E402
from policies.reading import Seen  # noqa: E402

KINDS = (
    "wrong value|wrong branch|mutated default|late binding|off by one|stale cache|race|deadlock|encoding|float|"
    "aliasing|swallowed exception|wrong await"
).split("|")
CORPUS = bugs.every()


def test_there_are_at_least_forty_programs_of_every_kind_that_is_asked_for():
    assert len(CORPUS) >= 40
    assert not [kind for kind in KINDS if kind not in {bug.kind for bug in CORPUS}]


@pytest.mark.parametrize("bug", CORPUS, ids=lambda bug: bug.name)
def test_the_test_fails_by_the_bug_the_value_shows_and_the_repair_mends_it(bug):
    assert bugs.wrong(bug) == []


@pytest.mark.parametrize(
    ("wanted", "text", "shown"),
    [
        ("3", "start = 3", True),
        ("3", "13 x3 3.5 file.py:3", False),
        ("'a'", "name 'a' here", True),
        ('{"a": 1}', r'"values": "{\"a\": 1}"', True),
        ("[1]", "[1, 2]", False),
    ],
)
def test_a_value_counts_as_shown_where_it_is_a_word_of_its_own(wanted, text, shown):
    seen = Seen(wanted)
    seen.read(text)
    assert seen.shown is shown


def test_an_answer_counts_by_its_larger_form():
    seen = Seen("x")
    seen.read("four", "larger")
    assert (seen.calls, seen.characters) == (1, 6)


def test_a_function_is_probed_at_its_ends_for_its_names_and_what_it_gives_back():
    text = "class A:\n    def f(self, n):\n        m = n * self.rate\n        return m + 1\n"
    text += "\n    def g(self):\n        self.n = 4\n"
    assert ends(text) == [(4, ["n", "m", "self.rate", "m + 1"]), (7, ["self.n"])]
