from store import Store


def every(store):
    for number in range(store.pages()):
        yield from store.fetch(number)


def is_open(order):
    return order["state"] in ("new", "paid")


def summarize(orders):
    totals = {}
    for order in orders:
        totals.setdefault(order["customer"], 0)
        totals[order["customer"]] += order["amount"]
    return totals


def report(rows, size=4):
    store = Store(rows, size)
    wanted = [order for order in every(store) if is_open(order)]
    totals = summarize(wanted)
    best = max(totals, key=totals.get)
    return best
