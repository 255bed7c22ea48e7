from float import *


def test_float():
    assert split(10.0, 3) == (3.33, 0.01)
