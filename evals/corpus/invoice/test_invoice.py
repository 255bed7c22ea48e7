from invoice import Invoice, render


def test_invoice():
    made = Invoice().add("tea", 3.99, 3).add("novel", 12.49, 1, "books").add("cup", 7.25, 2)
    assert render(made)[-1] == "total: 44.86"
