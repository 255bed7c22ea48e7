from bank import Account, exchange


def test_deadlock():
    ada, bob = Account("ada", 100), Account("bob", 100)
    exchange(ada, bob, 10)
    assert (ada.amount, bob.amount) == (110, 90)
