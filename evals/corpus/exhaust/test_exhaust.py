from exhaust import *


def test_exhaust():
    assert find([5, 6, 7], 6) == 1
