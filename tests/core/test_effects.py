"""What is let pass where nothing may change the program, and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core import effects
from dapwright.core.errors import NotAllowed

PERL = effects.refusing(braces=True, bare=False)
RUBY = effects.refusing(members=False)


@pytest.mark.parametrize(
    "text",
    [
        "count",
        "a + b * 2",
        "(a and b) or not (c)",
        "items[0].price >= limit",
        "a == b",
        "a != b && c <= d",
        "x ~= y",
        "name instanceof String",
        "$this->items['a; b = f()']",
        "1 - -1",
        '"a = b; f(x)"',
        "order.total",
        "a <=> b",
        "key => value",
        "count if ready",
    ],
)
def test_looking_passes(text):
    effects.refuse(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = 7",
        "x += 1",
        "x <<= 2",
        "x ||= 1",
        "n++",
        "--n",
        "items.pop()",
        "f (x)",
        "make()()",
        "a[0](1)",
        "new Order",
        "puts x",
        "print 'a'",
        'print "a"',
        'require"x"',
        "xs.each { |x| y }",
        "a; b",
        "a\nb",
        "`rm x`",
        "$(rm x)",
        '"#{f}"',
        "return x",
        "swap! state inc",
        "run :now unless x = 1",
    ],
)
def test_what_may_run_code_does_not(text):
    with pytest.raises(NotAllowed, match="may change the program"):
        effects.refuse(text)


@pytest.mark.parametrize("text", ["$h{key} + $a[0]", "$x eq 'a' and not $y", "@list", "$o->{name}"])
def test_perl_items_are_no_blocks(text):
    PERL(text)


@pytest.mark.parametrize("text", ["shift", "$x =~ s/a/b/", "pop @x", "$o->run($x)", "time + 1", "$x = 1"])
def test_perl_words_may_be_calls(text):
    with pytest.raises(NotAllowed):
        PERL(text)


def test_ruby_members_are_calls():
    RUBY("@total + count[1] * 2.5")
    for text in ("list.pop", "list&.pop", "A::b"):
        with pytest.raises(NotAllowed, match="a call of a member"):
            RUBY(text)


@given(st.text(alphabet="abx=<>!~+- 1", max_size=8))
def test_a_lone_equals_sign_never_passes(text):
    lone = [i for i, c in enumerate(text) if c == "=" and (text[i - 1 : i] or " ") not in "=!<>~"]
    if any(text[i + 1 : i + 2] not in ("=", "~", ">") for i in lone):
        with pytest.raises(NotAllowed):
            effects.refuse(text)
