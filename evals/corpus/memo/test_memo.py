from quotes import offers


def test_memo():
    items = [{"name": "tea", "price": 10.0}, {"name": "pot", "price": 30.0, "count": 2}]
    assert offers(items, ["eur", "usd"])["usd"] == 77.0
