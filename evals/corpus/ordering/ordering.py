def pipeline(value):
    steps = [lambda x: x + 1, lambda x: x * 2]
    for step in reversed(steps):
        value = step(value)
    return value
