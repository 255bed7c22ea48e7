from none import *


def test_none():
    assert greet(' Ada ') == 'hello ada'
