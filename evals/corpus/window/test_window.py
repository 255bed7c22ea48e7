from window import *


def test_window():
    assert pairs([1, 2, 3]) == [(1, 2), (2, 3)]
