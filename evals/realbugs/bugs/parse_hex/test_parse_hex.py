import parse


def test_a_negative_number_is_read():
    assert parse.parse("a {:x} b", "a -1f b")[0] == -0x1F
