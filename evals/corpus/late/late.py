def adders():
    made = []
    for step in (3, 5, 7):
        made.append(lambda value: value + step)
    return made
