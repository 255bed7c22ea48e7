from regex import *


def test_regex():
    assert first('<a><b>') == 'a'
