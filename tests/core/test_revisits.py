"""What changed in a frame since it was stood in."""

from dapwright.core.model import Frame
from dapwright.core.revisits import Revisits, activations

MAIN = Frame(90, "main", "/a.py", 30)


def stack(*rows, total=None, keeps_ids=False):
    """Activations of (id, name, line) rows, innermost first, called by main."""
    frames = [Frame(id_, name, "/a.py", line) for id_, name, line in rows]
    return activations((1, 7), [*frames, MAIN], total, keeps_ids=keeps_ids)


def test_the_first_look_at_a_frame_knows_no_earlier_values():
    assert Revisits().look(stack((1, "f", 3)), 0, stop=1, now={"x": "1"}) is None


def test_a_frame_that_went_on_is_known_by_its_callers():
    seen = Revisits()
    seen.look(stack((1, "f", 3)), 0, stop=1, now={"x": "1"})
    assert seen.look(stack((2, "f", 4)), 0, stop=2, now={"x": "2"}) == {"x": "1"}


def test_a_second_look_at_one_stop_answers_as_the_first_did():
    seen = Revisits()
    seen.look(stack((1, "f", 3)), 0, stop=1, now={"x": "1"})
    seen.look(stack((2, "f", 4)), 0, stop=2, now={"x": "2"})
    assert seen.look(stack((2, "f", 4)), 0, stop=2, now={"x": "2"}) == {"x": "1"}


def test_the_next_round_of_a_recursion_is_another_frame_and_the_outer_one_is_remembered():
    seen = Revisits()
    seen.look(stack((1, "f", 3)), 0, stop=1, now={"n": "3"})
    assert seen.look(stack((2, "f", 3), (1, "f", 5)), 0, stop=2, now={"n": "2"}) is None
    assert seen.look(stack((1, "f", 6)), 0, stop=3, now={"n": "3"}) == {"n": "3"}


def test_a_deep_recursion_is_told_apart_by_its_depth():
    deep = [(n, "f", 5) for n in range(20)]
    seen = Revisits()
    seen.look(stack(*deep, total=40), 0, stop=1, now={"n": "3"})
    assert seen.look(stack(*deep, total=41), 0, stop=2, now={"n": "2"}) is None


def test_a_frame_that_is_gone_is_forgotten():
    seen = Revisits()
    seen.look(stack((1, "f", 3)), 0, stop=1, now={"x": "1"})
    seen.look(stack(), 0, stop=2, now={})
    assert seen.look(stack((3, "f", 3)), 0, stop=3, now={"x": "9"}) is None


def test_another_id_is_another_frame_where_the_engine_keeps_ids():
    seen = Revisits()
    seen.look(stack((1, "f", 3), keeps_ids=True), 0, stop=1, now={"x": "1"})
    assert seen.look(stack((2, "f", 3), keeps_ids=True), 0, stop=2, now={"x": "9"}) is None


def test_two_threads_in_one_function_are_two_frames():
    seen = Revisits()
    seen.look(stack((1, "f", 3)), 0, stop=1, now={"x": "1"})
    other = activations((1, 8), [Frame(1, "f", "/a.py", 3), MAIN], None, keeps_ids=False)
    assert seen.look(other, 0, stop=2, now={"x": "5"}) is None
    assert seen.look(stack((1, "f", 4)), 0, stop=3, now={"x": "2"}) == {"x": "1"}
