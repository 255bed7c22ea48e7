def find(rows, wanted):
    for index, row in enumerate(rows):
        if row == wanted:
            found = index
        else:
            found = -1
    return found
