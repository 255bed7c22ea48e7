from events import play


def test_observer():
    assert play(3, 9)["mail"] == 12
