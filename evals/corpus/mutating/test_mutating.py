from mutating import *


def test_mutating():
    assert without([1, 1, 2], 1) == [2]
