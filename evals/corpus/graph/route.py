import heapq


class Map:
    def __init__(self):
        self.roads = {}

    def road(self, a, b, length):
        self.roads.setdefault(a, []).append((b, length))
        self.roads.setdefault(b, []).append((a, length))
        return self

    def near(self, place):
        return self.roads.get(place, [])


def distances(network, start):
    known = {start: 0}
    waiting = [(0, start)]
    while waiting:
        so_far, place = heapq.heappop(waiting)
        for other, length in network.near(place):
            if other in known:
                continue
            known[other] = so_far + length
            heapq.heappush(waiting, (known[other], other))
    return known


def nearest(network, start, wanted):
    known = distances(network, start)
    reachable = [place for place in wanted if place in known]
    return min(reachable, key=lambda place: known[place])


def town():
    made = Map()
    made.road("home", "park", 4).road("home", "mill", 15).road("park", "mill", 3)
    made.road("mill", "dock", 2).road("park", "fair", 9)
    return made
