from points import busiest, city


def test_hashing():
    assert busiest(city()) == 3
