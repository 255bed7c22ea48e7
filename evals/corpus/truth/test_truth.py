from truth import *


def test_truth():
    assert limit(0) == 0
