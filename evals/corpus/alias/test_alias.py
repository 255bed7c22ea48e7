from alias import *


def test_alias():
    assert grid(2, 2) == [[1, 0], [0, 0]]
