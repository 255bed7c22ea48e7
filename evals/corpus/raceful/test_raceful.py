from stock import rush


def test_raceful():
    assert rush(40, 7, 7).count == 26
