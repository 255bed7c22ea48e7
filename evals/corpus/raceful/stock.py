import threading


class Stock:
    def __init__(self, count):
        self.count = count
        self.lock = threading.Lock()
        self.history = []

    def level(self):
        with self.lock:
            return self.count

    def store(self, count):
        with self.lock:
            self.history.append(count)
            self.count = count


class Buyer(threading.Thread):
    def __init__(self, stock, wanted, gate):
        super().__init__()
        self.stock = stock
        self.wanted = wanted
        self.gate = gate

    def run(self):
        seen = self.stock.level()
        self.gate.wait(5)
        rest = seen - self.wanted
        self.stock.store(rest)


def rush(count, *wishes):
    stock = Stock(count)
    gate = threading.Barrier(len(wishes))
    buyers = [Buyer(stock, wanted, gate) for wanted in wishes]
    for buyer in buyers:
        buyer.start()
    for buyer in buyers:
        buyer.join()
    return stock
