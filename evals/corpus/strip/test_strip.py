from strip import *


def test_strip():
    assert stem('text.txt') == 'text'
