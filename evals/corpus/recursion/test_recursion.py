from recursion import *


def test_recursion():
    assert power(2, 3) == 8
