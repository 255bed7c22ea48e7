from unpack import *


def test_unpack():
    assert bounds([3, 1, 2]) == (1, 3)
