def average(values):
    mean = sum(values) // len(values)
    return mean
