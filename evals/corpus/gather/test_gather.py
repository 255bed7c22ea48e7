from fetch import run


def test_gather():
    assert run(["users", "fresh-orders", "items"]) == []
