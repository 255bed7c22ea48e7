class Store:
    """Rows that can only be had page by page."""

    def __init__(self, rows, size=4):
        self.rows = list(rows)
        self.size = size

    def pages(self):
        return len(self.rows) // self.size

    def fetch(self, number):
        start = number * self.size
        return self.rows[start : start + self.size]
