class Point:
    def __init__(self, x, y, label=""):
        self.x = x
        self.y = y
        self.label = label

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y, self.label))

    def __repr__(self):
        return f"<{self.x},{self.y}>"


def crossings(paths):
    counts = {}
    for path in paths:
        for point in path:
            counts[point] = counts.get(point, 0) + 1
    return counts


def busiest(paths):
    counts = crossings(paths)
    ranked = sorted(counts.items(), key=lambda row: -row[1])
    return ranked[0][1]


def line(label, *places):
    return [Point(x, y, label) for x, y in places]


def city():
    return [
        line("red", (0, 0), (1, 0), (2, 0)),
        line("blue", (1, 1), (1, 0), (1, -1)),
        line("green", (2, 1), (1, 0)),
    ]
