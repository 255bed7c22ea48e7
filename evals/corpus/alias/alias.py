def grid(width, height):
    rows = [[0] * width] * height
    rows[0][0] = 1
    return rows
