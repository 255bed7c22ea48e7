def blend(a, b):
    middle = a + b / 2
    return middle
