from ordering import *


def test_ordering():
    assert pipeline(3) == 8
