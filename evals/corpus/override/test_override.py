from override import *


def test_override():
    assert Square().describe() == 'area 4'
