def last(rows, count):
    start = len(rows) - count + 1
    return rows[start:]
