def cents(amount):
    value = int(amount * 100)
    return value
