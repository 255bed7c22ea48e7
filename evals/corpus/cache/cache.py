CACHE = {}


def price(name, table):
    if name not in CACHE:
        CACHE[name] = table[name]
    found = CACHE[name]
    return found
