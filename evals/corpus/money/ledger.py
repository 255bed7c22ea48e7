class Ledger:
    def __init__(self):
        self.entries = []
        self.balance = 0.0

    def book(self, account, euros):
        if not account:
            raise ValueError("no account")
        self.entries.append((account, euros))
        self.balance += euros
        return self.balance

    def of(self, account):
        return sum(euros for name, euros in self.entries if name == account)

    def statement(self):
        lines = [f"{account:>8} {euros:9.2f}" for account, euros in self.entries]
        lines.append(f"{self.balance:18.2f}")
        return lines
