from precedence import *


def test_precedence():
    assert blend(2, 4) == 3
