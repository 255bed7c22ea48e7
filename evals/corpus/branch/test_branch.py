from branch import *


def test_branch():
    assert shipping(2, True) == 20
