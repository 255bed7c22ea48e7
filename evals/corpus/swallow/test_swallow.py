from swallow import *


def test_swallow():
    assert read('1, 2,x3') == [1, 2, 3]
