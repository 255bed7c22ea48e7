"""A cache that forgets what was used least recently."""

import functools

MISSING = object()


def counted(function):
    """Count the calls of a function, by name."""

    @functools.wraps(function)
    def counting(*args):
        counting.calls += 1
        return function(*args)

    counting.calls = 0
    return counting


class Cache:
    """At most `size` values."""

    def __init__(self, size):
        self.size = size
        self.values = {}

    @counted
    def get(self, key):
        """The value of a key, or MISSING; it counts as used."""
        found = self.values.get(key, MISSING)
        return found

    @counted
    def put(self, key, value):
        """Keep a value; the least recently used goes."""
        if key not in self.values and len(self.values) >= self.size:
            oldest = next(iter(self.values))
            del self.values[oldest]
        self.values[key] = value


if __name__ == "__main__":
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    print("a kept:", cache.get("a") is not MISSING)
