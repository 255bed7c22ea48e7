def wrap(index, size):
    place = index - size * int(index / size)
    return place
