from json_keys import *


def test_json_keys():
    assert restore({1: 'a'}) == {1: 'a'}
