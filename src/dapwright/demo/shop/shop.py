"""A small shop. Three or more of one thing cost a tenth less; prices are in cents."""

from dataclasses import dataclass

BULK_COUNT = 3
BULK_PERCENT = 10


@dataclass
class Item:
    name: str
    price: int
    count: int


def basket_total(basket):
    total = 0
    for item in basket:
        cost = item.price * item.count
        total += cost
        discount = total * BULK_PERCENT // 100 if item.count >= BULK_COUNT else 0
        total -= discount
    return total


def main():
    basket = [Item("tea", 400, 1), Item("cake", 1000, 3), Item("cup", 600, 1)]
    total = basket_total(basket)
    print(f"to pay: {total / 100:.2f}")


if __name__ == "__main__":
    main()
