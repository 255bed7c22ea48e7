from bounds import *


def test_bounds():
    assert grade(90) == 'A'
