def power(base, exponent):
    if exponent == 0:
        return 0
    result = base * power(base, exponent - 1)
    return result
