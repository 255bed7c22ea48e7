import threading


class Account:
    def __init__(self, name, amount):
        self.name = name
        self.amount = amount
        self.lock = threading.Lock()


class Bank:
    def __init__(self):
        self.failed = []
        self.both = threading.Barrier(2)

    def transfer(self, source, target, amount, patience):
        with source.lock:
            self.both.wait(5)
            owner = target.name
            got = target.lock.acquire(timeout=patience)
            if not got:
                self.failed.append(owner)
                return False
            try:
                source.amount -= amount
                target.amount += amount
            finally:
                target.lock.release()
        return True


def exchange(left, right, amount):
    bank = Bank()
    threads = [
        threading.Thread(target=bank.transfer, args=(left, right, amount, 0.2)),
        threading.Thread(target=bank.transfer, args=(right, left, amount * 2, 5)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return bank
