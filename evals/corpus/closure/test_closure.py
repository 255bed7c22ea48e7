from closure import *


def test_closure():
    assert total() == 1
