import threading


LOCK = threading.Lock()


class Counter:
    def __init__(self):
        self.value = 0

    def bump(self, barrier):
        seen = self.value
        barrier.wait()
        self.value = seen + 1


def run():
    counter, barrier = Counter(), threading.Barrier(2)
    threads = [threading.Thread(target=counter.bump, args=(barrier,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counter.value
