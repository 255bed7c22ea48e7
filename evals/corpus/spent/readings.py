def parse(lines):
    for line in lines:
        name, _, number = line.partition(":")
        yield name.strip(), float(number)


def calibrate(rows, offsets):
    return ((name, value + offsets.get(name, 0.0)) for name, value in rows)


def check(rows):
    worst = None
    for name, value in rows:
        if value < -40 or value > 60:
            worst = name
    return worst


def mean(rows):
    values = [value for _, value in rows]
    if not values:
        return None
    return sum(values) / len(values)


def warmest(rows):
    return max(rows, key=lambda row: row[1], default=(None, None))[0]


def daily(lines, offsets):
    rows = calibrate(parse(lines), offsets)
    broken = check(rows)
    if broken is not None:
        raise ValueError(broken)
    values = list(rows)
    return {"mean": mean(values), "warmest": warmest(values)}
