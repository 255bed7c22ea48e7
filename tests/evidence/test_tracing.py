"""A tree that is too long for an answer."""

from dapwright.evidence.tracing import ends_of


def test_a_short_tree_is_whole():
    assert ends_of(["a", "b"], 10) == (["a", "b"], 0)
    assert ends_of([], 10) == ([], 0)


def test_a_long_tree_keeps_its_first_lines_and_more_of_its_last():
    written = [f"#{n:02} call" for n in range(60)]
    shown, left = ends_of(written, 270)
    assert sum(map(len, shown)) + len(shown) <= 270
    at = shown.index(f"… {left} lines left out")
    assert shown[:at] == written[:at] and shown[at + 1 :] == written[at + left :]
    assert at < len(shown) - at - 1 and len(shown) - 1 + left == 60


def test_one_line_that_is_longer_than_the_room_leaves_the_rest():
    shown, left = ends_of(["x" * 900, "#2 call"], 300)
    assert shown == ["… 1 lines left out", "#2 call"] and left == 1
