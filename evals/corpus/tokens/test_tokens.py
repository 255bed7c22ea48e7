from calc import value


def test_tokens():
    assert value("(7+2)-4") == 5
