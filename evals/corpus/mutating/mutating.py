def without(rows, wanted):
    for row in rows:
        if row == wanted:
            rows.remove(row)
    return rows
