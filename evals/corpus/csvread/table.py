import csv
import io


def decode(raw):
    for name in ("utf-8", "latin-1"):
        try:
            return raw.decode(name)
        except UnicodeDecodeError:
            continue
    raise ValueError("no known encoding")


def rows(raw):
    text = decode(raw)
    reader = csv.DictReader(io.StringIO(text), delimiter=";")
    return [normal(row) for row in reader]


def normal(row):
    return {key.strip().lower(): value.strip() for key, value in row.items()}


def index(table, column):
    found = {}
    for row in table:
        found[row.get(column, "")] = row
    return found


def lookup(raw, column, wanted):
    table = rows(raw)
    by_column = index(table, column)
    row = by_column.get(wanted)
    return row["price"] if row else None
