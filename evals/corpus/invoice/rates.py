RATES = {
    "DE": {"goods": 0.19, "books": 0.07},
    "FR": {"goods": 0.2, "books": 0.055},
}


def rate_of(country, kind):
    table = RATES.get(country, RATES["DE"])
    if kind not in table:
        kind = "goods"
    return table[kind]
