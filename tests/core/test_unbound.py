"""Engines' words for a breakpoint that they have not bound."""

import pytest

from dapwright.core import unbound


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('Function "-source a.c -line 7" not defined.', "no code is there"),
        ("No source file named /w/never.c.", "not built of this file"),
        ("could not find file /w/sub/never.go", "not built of this file"),
        ("could not find statement at /w/main.go:12, please use a line with a statement", "what is never called"),
        ("Breakpoint in file excluded by filters.\nNote: may be excluded", "`justMyCode`"),
        ("something else", "something else"),
    ],
)
def test_what_engines_say_is_told_in_words_that_help(said, told):
    assert told in unbound.explain(said)


def test_what_waits_to_be_loaded_was_never_loaded_at_the_end():
    assert all("loaded" in told or "load" in told for told in unbound.WAITING.values())
    assert all("yet" not in told for told in unbound.WAITING.values())
