from route import nearest, town


def test_graph():
    assert nearest(town(), "home", ["dock", "fair"]) == "dock"
