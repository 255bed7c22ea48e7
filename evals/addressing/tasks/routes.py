"""Shortest ways through a small net of roads."""

import heapq

ROADS = [
    ("home", "mill", 4),
    ("home", "lake", 1),
    ("lake", "mill", 2),
    ("mill", "town", 5),
    ("lake", "town", 9),
]


def net_of(roads):
    """Roads as neighbours, both ways."""
    net = {}
    for one, other, length in roads:
        net.setdefault(one, []).append((other, length))
        net.setdefault(other, []).append((one, length))
    return net


def shortest(roads, start, goal):
    """The length of the shortest way, and the way."""
    net = net_of(roads)
    queue = [(0, start, [start])]
    seen = set()
    while queue:
        length, place, way = heapq.heappop(queue)
        if place == goal:
            return length, way
        for other, step in net[place]:
            if other in seen:
                continue
            seen.add(other)
            further = length + step
            heapq.heappush(queue, (further, other, [*way, other]))
    return None


if __name__ == "__main__":
    print(shortest(ROADS, "home", "town"))
