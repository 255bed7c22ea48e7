from encoding import *


def test_encoding():
    assert label('é'.encode()) == 'É'
