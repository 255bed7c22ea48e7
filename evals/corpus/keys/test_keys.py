from keys import *


def test_keys():
    assert merge({1: 1}, {'1': 2}) == {'1': 3}
