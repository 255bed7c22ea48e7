from report import report


def test_pages():
    rows = [
        {"customer": name, "amount": amount, "state": state}
        for name, amount, state in [
            ("ada", 20, "new"), ("bob", 35, "paid"), ("cyd", 11, "sent"), ("ada", 5, "paid"),
            ("eve", 8, "new"), ("bob", 3, "sent"), ("cyd", 14, "new"), ("fay", 17, "paid"),
            ("ada", 31, "new"), ("gus", 2, "new"),
        ]
    ]
    assert report(rows) == "ada"
