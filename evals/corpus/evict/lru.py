from collections import OrderedDict


class Cache:
    def __init__(self, size):
        self.size = size
        self.kept = OrderedDict()
        self.lost = []

    def get(self, key, default=None):
        if key not in self.kept:
            return default
        return self.kept[key]

    def put(self, key, value):
        self.kept[key] = value
        while len(self.kept) > self.size:
            oldest, _ = self.kept.popitem(last=False)
            self.lost.append(oldest)
