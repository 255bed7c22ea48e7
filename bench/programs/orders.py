"""The program that every debugger is measured on: a few frames, a loop, locals of several kinds."""

import sys


class Order:
    def __init__(self, number, prices, member):
        self.number = number
        self.prices = prices
        self.member = member


def order_total(order):
    total = 0.0
    for price in order.prices:
        total = total + price
    if order.member:
        total = total * 0.9
    return total


def main():
    orders = [Order(number, [float(price) for price in range(1, 40)], number % 2 == 0) for number in range(20)]
    grand = 0.0
    for order in orders:
        grand += order_total(order)
    print(f"grand total {grand:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
