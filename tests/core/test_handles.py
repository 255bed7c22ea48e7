"""Our ids: never used twice, never answered with another stop's data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.errors import StaleHandle
from dapwright.core.handles import Handles

shown = st.tuples(st.sampled_from(["frame", "variables"]), st.integers(1, 3), st.integers(0, 5))


@given(st.lists(st.one_of(shown, st.integers(1, 3)), max_size=60))
def test_an_id_means_what_it_meant_or_nothing(steps):
    """A tuple shows an engine's id at the present stop; a number resumes that connection."""
    handles, epochs, meanings = Handles(), {1: 0, 2: 0, 3: 0}, {}
    for step in steps:
        if isinstance(step, int):
            handles.forget(step, epochs[step])
            epochs[step] += 1
            continue
        kind, connection, engine_id = step
        ours = handles.show(kind, connection, epochs[connection], engine_id)
        meaning = (kind, connection, epochs[connection], engine_id)
        assert meanings.setdefault(ours, meaning) == meaning, "an id was used twice"
    for ours, (kind, connection, epoch, engine_id) in meanings.items():
        if epoch == epochs[connection]:
            target = handles.find(kind, ours, epochs)
            assert (target.connection, target.engine_id) == (connection, engine_id)
        else:
            with pytest.raises(StaleHandle):
                handles.find(kind, ours, epochs)


def test_the_ids_of_a_connection_that_went_are_stale():
    handles = Handles()
    ours = handles.show("frame", 1, 0, 7)
    with pytest.raises(StaleHandle):
        handles.find("frame", ours, {2: 0})


def test_a_thread_keeps_its_id_over_stops():
    handles = Handles()
    ours = handles.show("thread", 1, -1, 7)
    handles.forget(1, 0)
    assert handles.show("thread", 1, -1, 7) == ours
    assert handles.find("thread", ours, {1: 5}).engine_id == 7


def test_a_long_life_keeps_a_bounded_number_of_ids():
    handles = Handles()
    for epoch in range(3000):
        for engine_id in range(20):
            handles.show("frame", 1, epoch, engine_id)
        handles.forget(1, epoch)
    assert len(handles._targets) <= 50_000
