from rounding import *


def test_rounding():
    assert cents(1.15) == 115
