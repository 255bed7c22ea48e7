"""Accounts and transfers between them."""


class Account:
    """A balance with a history."""

    def __init__(self, name, balance=0):

        self.name = name

        self.balance = balance

        self.history = []

    def withdraw(self, amount):
        """Take money out; refused where there is too little."""

        if amount > self.balance:
            raise ValueError("too little")

        self.balance -= amount

        self.history.append(-amount)

    def deposit(self, amount):
        """Put money in."""

        self.balance += amount

        self.history.append(amount)


def transfer(source, target, amount, fee=1):
    """Move money; the source pays the fee."""

    source.withdraw(amount)

    charged = amount - fee

    target.deposit(charged)

    source.history.append(-fee)

    return source.balance, target.balance


if __name__ == "__main__":
    one, other = Account("one", 100), Account("other")

    print(transfer(one, other, 50))
