from paint import codes


def test_argument():
    assert codes((40, 90, 200), [0, 10])[-1] == "#448cff"
