from shop import month


def test_money():
    assert month().statement()[-1].strip() == "14.24"
