from late import *


def test_late():
    assert [add(10) for add in adders()] == [13, 15, 17]
