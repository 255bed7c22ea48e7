from mutable import *


def test_mutable():
    collect(1)
    assert collect(2) == [2]
