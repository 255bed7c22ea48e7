from ledger import Ledger

PRICES = {"tea": 399, "pot": 2450, "cup": 725}


class Shop:
    def __init__(self, ledger):
        self.ledger = ledger
        self.sold = []

    def sell(self, *names):
        cents = 0
        for name in names:
            cents += PRICES[name]
            self.sold.append(name)
        self.ledger.book("sales", cents)
        return cents

    def rent(self, euros):
        self.ledger.book("rent", -euros)


def month():
    shop = Shop(Ledger())
    shop.sell("tea", "cup")
    shop.sell("pot")
    shop.rent(21.5)
    return shop.ledger
