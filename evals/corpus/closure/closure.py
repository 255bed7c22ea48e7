COUNT = 0


def bump():
    COUNT = 1
    return COUNT


def total():
    bump()
    seen = COUNT
    return seen
