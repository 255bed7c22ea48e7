"""Redaction over the corpus, and what holds for any text."""

import random

import corpus_secrets as corpus
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dapwright.core import redact
from dapwright.core.secrets import masking
from dapwright.core.secrets.marks import MARK
from dapwright.core.secrets.marks import settings as state

TRUE, FALSE = corpus.true_examples(), corpus.false_examples()
PIECES = st.sampled_from(
    [e.text for e in TRUE + FALSE] + ["<redacted:token #12ab>", "'", '"', "=", ": ", "password", " "]
)


@pytest.fixture(autouse=True)
def fresh():
    before = state.salt, state.enabled
    yield
    state.salt, state.enabled = before


def masked(example):
    return redact.value(example.name, example.text) if example.name else redact.text(example.text)


def test_no_secret_of_the_corpus_is_missed():
    missed = [e for e in TRUE if e.secret in masked(e)]
    print(f"\n{len(TRUE)} true examples, {len(missed)} missed")
    assert len(TRUE) >= 300
    assert not missed, (len(missed), missed[:40])


def test_hardly_anything_harmless_is_masked():
    wrong = [(e, masked(e)) for e in FALSE if masked(e) != e.text]
    print(f"\n{len(FALSE)} false examples, {len(wrong)} masked ({len(wrong) / len(FALSE):.2%})")
    assert len(FALSE) >= 300
    assert len(wrong) < len(FALSE) / 100, (len(wrong), wrong)


def test_every_surface_is_in_the_corpus():
    assert {e.surface for e in TRUE} == {"value", "container", "condition", "output", "error", "source"}


def test_redacting_twice_changes_nothing():
    for example in TRUE + FALSE:
        once = masked(example)
        again = redact.value(example.name, once) if example.name else redact.text(once)
        assert again == once, example
        assert redact.text(once) == once, example


def test_streams_mask_what_texts_do_wherever_they_are_cut():
    for seed, example in enumerate(e for e in TRUE if e.surface in ("output", "error")):
        source, stream, shown = random.Random(seed), redact.Stream(), ""
        rest = "earlier line\n" + example.text
        while rest:
            cut = source.choice([1, 2, 5, 17])
            shown, rest = shown + stream.feed(rest[:cut]), rest[cut:]
            assert len(stream._held) <= 512
        shown += stream.flush()
        assert example.secret not in shown, (example, shown)


def test_streams_pass_on_what_is_harmless():
    for seed, example in enumerate(e for e in FALSE if e.surface == "output"):
        source, stream, shown, rest = random.Random(seed), redact.Stream(), "", example.text
        while rest:
            cut = source.choice([3, 11, 40])
            shown, rest = shown + stream.feed(rest[:cut]), rest[cut:]
        assert shown + stream.flush() == example.text


def test_a_line_of_plain_text_is_shown_at_once():
    stream = redact.Stream()
    assert stream.feed("processing order 12\n") == "processing order 12\n"
    assert stream.feed("no newline yet") == "no newline yet"


def test_a_private_key_that_comes_line_by_line_is_masked_whole():
    stream, shown = redact.Stream(), ""
    lines = ["-----BEGIN RSA PRIVATE KEY-----", *["MIIEpAIBAAKCAQEA7bq98JHGfabcdefgh"] * 400, "c2hvcnQ="]
    for line in [*lines, "-----END RSA PRIVATE KEY-----", "and then"]:
        shown += stream.feed(line + "\n")
    assert "MIIE" not in shown and "c2hv" not in shown
    assert shown.endswith("and then\n") and shown.count("<redacted:") == 1


def test_equal_secrets_have_equal_marks_wherever_they_are():
    key = corpus.SHAPED[0]
    marks = {MARK.search(redact.text(t.format(key)))[0] for _, t in corpus.AROUND}
    assert {m.split("#")[1] for m in marks} == {redact.mark("x", key).split("#")[1]}
    assert redact.value("password", "'hunter2'").strip("'") == redact.value("password", '"hunter2"').strip('"')
    assert redact.value("password", "'hunter2'") != redact.value("password", "'hunter3'")


def test_the_salt_decides_the_mark():
    before = redact.text(corpus.SHAPED[0])
    redact.configure(salt=b"another")
    assert redact.text(corpus.SHAPED[0]) != before


def test_redaction_can_be_switched_off():
    redact.configure(enabled=False)
    assert redact.value("password", "'hunter2'") == "'hunter2'"
    assert redact.structure({"password": "x"}) == {"password": "x"}
    assert redact.Stream().feed("password=hunter2\n") == "password=hunter2\n"


def test_structures_are_masked_however_deep():
    answer = {
        "locals": [{"name": "password", "value": "'hunter2'", "variablesReference": 3}, {"name": "n", "value": "3"}],
        "rows": [{"values": {"user.password": "'hunter2'", "n": "3"}}],
        "expression": "password == 'hunter2'",
        "watch": {"expression": "secret", "old": "'hunter2'", "new": "'hunter2!'"},
        "launch": ({"env": {"DB_PASSWORD": "hunter2", "PWD": "/home"}},),
        "count": 2,
        "verified": True,
    }
    shown = redact.structure(answer)
    assert "hunter2" not in repr(shown)
    assert shown["locals"][1] == {"name": "n", "value": "3"} and shown["locals"][0]["variablesReference"] == 3
    assert shown["launch"][0]["env"]["PWD"] == "/home" and shown["count"] == 2 and shown["verified"] is True
    assert redact.structure(shown) == shown


def test_lines_keep_their_number():
    key = corpus.KEY.format("PRIVATE", "PRIVATE").splitlines()
    shown = redact.lines(["a = 1", *key, "b = 2"])
    assert len(shown) == len(key) + 2 and shown[0] == "a = 1" and shown[-1] == "b = 2"
    assert "MIIE" not in "".join(shown)


def test_what_an_engine_cut_is_masked_before_we_cut_it():
    assert "hunt" not in redact.value("password", "'hunter2 and mor")
    assert "hunt" not in redact.text("Config(user='ann', password='hunter2 and mor")


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=6).map("".join))
def test_any_mix_is_redacted_the_same_twice(text):
    once = redact.text(text)
    assert redact.text(once) == once


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_taken(text):
    assert isinstance(redact.text(text), str)
    assert isinstance(redact.value("password", text), str)
    stream = redact.Stream()
    assert isinstance(stream.feed(text) + stream.flush(), str)


def test_a_text_that_was_found_clean_is_known_and_one_with_a_secret_never_is():
    before, secret = "the path /srv/app/main.c is clean", "password=hunter2hunter2 in main.c"
    assert redact.text(before) == before == redact.text(before)
    hidden = redact.text(secret)
    assert "hunter2" not in hidden and redact.text(secret) == hidden
    assert redact.text(before + " password=hunter2hunter2") != before + " password=hunter2hunter2"
    assert (secret, True) not in masking._clean and (before, True) in masking._clean


def test_a_secret_is_masked_wherever_it_stands_again():
    line = "using MTa1B2c3D4e5F6g7H8i9J0k1L2.Gabc12.a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5\n"
    assert "a1B2c3" not in redact.text(line * 20)
