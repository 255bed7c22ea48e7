from negative import *


def test_negative():
    assert wrap(-1, 5) == 4
