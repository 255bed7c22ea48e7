from accumulate import *


def test_accumulate():
    assert running([1, 2, 3]) == [1, 3, 6]
