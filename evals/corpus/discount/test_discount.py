from discount import *


def test_discount():
    assert total([100.0], 0.1) == 90.0
