from context import *


def test_context():
    assert use() is True
