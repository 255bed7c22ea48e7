from race import *


def test_race():
    assert run() == 2
