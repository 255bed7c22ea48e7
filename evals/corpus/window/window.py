def pairs(values):
    made = []
    for index in range(len(values) - 2):
        made.append((values[index], values[index + 1]))
    return made
