class Basket:
    items = []

    def add(self, item):
        self.items.append(item)
        return self.items
