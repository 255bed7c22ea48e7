class Rates:
    def __init__(self):
        self.table = {"usd": 1.1, "gbp": 0.85, "eur": 1.0}
        self.asked = 0

    def rate(self, currency):
        self.asked += 1
        return self.table[currency]


class Quotes:
    def __init__(self, rates):
        self.rates = rates
        self.cache = {}

    def price(self, item, currency):
        key = item["name"]
        if key in self.cache:
            return self.cache[key]
        amount = item["price"] * self.rates.rate(currency)
        self.cache[key] = amount
        return amount

    def basket(self, items, currency):
        amounts = []
        for item in items:
            amounts.append(self.price(item, currency) * item.get("count", 1))
        return round(sum(amounts), 2)


def offers(items, currencies):
    quotes = Quotes(Rates())
    made = {}
    for currency in currencies:
        made[currency] = quotes.basket(items, currency)
    return made
