from shallow import *


def test_shallow():
    base = {'tags': []}
    template(base, 'x')
    assert base == {'tags': []}
