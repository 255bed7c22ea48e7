from offbyone import *


def test_offbyone():
    assert last([5, 6, 7, 8], 2) == [7, 8]
