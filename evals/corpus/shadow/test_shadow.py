from rules import bill


def test_shadow():
    assert bill([(100, ["member"]), (40, ["coupon", "unknown"])]) == 120.0
