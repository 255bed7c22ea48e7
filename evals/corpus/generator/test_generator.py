from generator import *


def test_generator():
    assert stats([1, 2, 0]) == (2, 3)
