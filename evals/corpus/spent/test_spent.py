from readings import daily


def test_spent():
    lines = ["roof: 17.5", "yard: 12.25", "cellar: 9.0"]
    assert daily(lines, {"yard": 0.75})["warmest"] == "roof"
