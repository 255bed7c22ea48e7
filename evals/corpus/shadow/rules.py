class Rules:
    def __init__(self):
        self.handlers = {}
        self.fired = []

    def register(self, table):
        for name, factor in table.items():
            def handler(amount):
                self.fired.append((name, factor))
                return amount * factor

            self.handlers[name] = handler

    def apply(self, names, amount):
        for name in names:
            handler = self.handlers.get(name)
            if handler is None:
                continue
            amount = handler(amount)
        return amount


def price(amount, names):
    rules = Rules()
    rules.register({"member": 0.9, "coupon": 0.75, "rush": 1.5})
    final = rules.apply(names, amount)
    return round(final, 2)


def bill(orders):
    total = 0
    for amount, names in orders:
        total += price(amount, names)
    return total
