def grade(points):
    if points > 90:
        mark = "A"
    else:
        mark = "B"
    return mark
