from dataclasses import dataclass, field

from rates import rate_of


@dataclass
class Line:
    name: str
    price: float
    count: int
    kind: str = "goods"


@dataclass
class Invoice:
    lines: list[Line] = field(default_factory=list)
    country: str = "DE"

    def add(self, name, price, count=1, kind="goods"):
        self.lines.append(Line(name, price, count, kind))
        return self

    def net(self, line):
        return line.price * line.count

    def gross(self, line):
        net = round(self.net(line), 1)
        tax = net * rate_of(self.country, line.kind)
        return net + tax

    def total(self):
        amount = 0.0
        for line in self.lines:
            amount += self.gross(line)
        return round(amount, 2)


def render(invoice):
    rows = [f"{line.name}: {invoice.gross(line):.2f}" for line in invoice.lines]
    rows.append(f"total: {invoice.total():.2f}")
    return rows
