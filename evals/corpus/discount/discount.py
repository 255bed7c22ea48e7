def total(prices, rate):
    gross = sum(prices)
    reduced = gross * (1 - rate)
    reduced = reduced * (1 - rate)
    return reduced
