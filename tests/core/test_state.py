"""The life of a session, as a table."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core import state
from dapwright.core.errors import WrongState

STATES = get_args(state.State)
HAPPENINGS = get_args(state.Happening)


@given(st.lists(st.sampled_from(HAPPENINGS), max_size=40))
def test_whatever_happens_it_is_in_a_state(happenings):
    now = "created"
    for happened in happenings:
        before, now = now, state.after(now, happened)
        assert now in STATES
        if before in ("stopped", "error"):
            assert now in (before, "starting"), "an end is left by a new start alone"
        if now == "paused" and before != "paused":
            assert happened == "stopped", "paused only after a real stop"


@pytest.mark.parametrize("end", ["ended", "failed"])
@pytest.mark.parametrize("begin", [s for s in STATES if s in state.LIVE])
def test_every_live_state_can_end(begin, end):
    assert state.after(begin, end) not in state.LIVE


@pytest.mark.parametrize("verb", state.ALLOWED)
@pytest.mark.parametrize("now", STATES)
def test_a_refusal_names_the_state_and_what_to_do(now, verb):
    if now in state.ALLOWED[verb]:
        state.require(now, verb)
        return
    with pytest.raises(WrongState) as refused:
        state.require(now, verb)
    assert now in str(refused.value) and refused.value.hint == state.NEXT[now]
