from inherit import *


def test_inherit():
    Basket().add(1)
    assert Basket().add(2) == [2]
