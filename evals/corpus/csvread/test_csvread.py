from table import lookup


def test_csvread():
    raw = "Name ;Price\ntea; 3\nkaffee; 5\n".encode("utf-8-sig")
    assert lookup(raw, "name", "kaffee") == "5"
