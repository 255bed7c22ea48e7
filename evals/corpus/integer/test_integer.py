from integer import *


def test_integer():
    assert average([1, 2]) == 1.5
