from units import *


def test_units():
    assert height(10, 30) == 5.0
