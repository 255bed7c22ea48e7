from service import cost


def test_evict():
    assert cost(["a", "b", "c", "a", "d", "a", "b"]) == 50
