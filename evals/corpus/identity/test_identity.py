from identity import *


def test_identity():
    assert same([1], [1])
