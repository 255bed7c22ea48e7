from sorting import *


def test_sorting():
    assert newest(['1.9', '1.10']) == '1.10'
