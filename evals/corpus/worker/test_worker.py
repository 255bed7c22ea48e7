from jobs import total


def test_worker():
    assert total(["a = 4", "b = 11", "c = 1_2", "d = 2.0", "e = 30"]) == 59
