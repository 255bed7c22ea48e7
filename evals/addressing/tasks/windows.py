"""Moving averages over a window of readings."""


# --------------------------------------------------------------------
# A window holds the last `size` readings. Its mean is undefined until
# it is full; callers skip the None values.
# --------------------------------------------------------------------


class Window:
    """The last readings of one sensor."""

    def __init__(self, size):
        self.size = size
        self.kept = []
        self.sum = 0.0

    # ----------------------------------------------------------------
    # Adding a reading drops the oldest once the window is full.
    # ----------------------------------------------------------------

    def add(self, value):
        """Take a reading; the mean, or None while there are too few."""
        self.kept.append(value)
        self.sum += value
        if len(self.kept) > self.size:
            oldest = self.kept.pop()
            self.sum -= oldest
        if len(self.kept) < self.size:
            return None
        return self.sum / self.size


def smooth(values, size):
    """Means of all full windows."""
    window = Window(size)
    means = []
    for value in values:
        mean = window.add(value)
        if mean is not None:
            means.append(mean)
    return means


if __name__ == "__main__":
    print(smooth([1, 2, 3, 4, 5], 2))
