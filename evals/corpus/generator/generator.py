def stats(values):
    values = (value for value in values if value)
    size = len(list(values))
    total = sum(values)
    return size, total
