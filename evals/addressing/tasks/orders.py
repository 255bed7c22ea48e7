"""Orders of a small shop: stock is reserved, priced, shipped, or given back.

An order goes from `new` to `reserved` to `shipped`, or to `cancelled`. What
cannot be reserved in full is reserved in part, and the rest is noted as
missing; the customer is asked, and may cancel.
"""

import functools
from dataclasses import dataclass, field
from decimal import Decimal

# ======================================================================
# What is kept of each step
# ======================================================================

JOURNAL = []


def journalled(
    step,
    *,
    quiet=False,
):
    """Note each call of a method in the journal, and how it ended."""

    def around(method):

        @functools.wraps(method)
        def noted(self, order, *args, **kwargs):
            try:
                told = method(
                    self,
                    order,
                    *args,
                    **kwargs,
                )
            except OrderError as broken:
                JOURNAL.append((step, order.number, str(broken)))
                raise
            if not quiet:
                JOURNAL.append((step, order.number, "done"))
            return told

        return noted

    return around


class OrderError(Exception):
    """A step that an order does not allow."""


# ======================================================================
# Goods and stock
# ======================================================================


@dataclass(frozen=True)
class Article:
    """What is sold."""

    code: str
    price: Decimal
    grams: int = 0


@dataclass
class Stock:
    """How many of each article there are, and how many of these are spoken for.

    `free` is what can still be reserved. It never goes below zero, and
    reserving and giving back leave `there` as it was.
    """

    there: dict = field(default_factory=dict)
    held: dict = field(default_factory=dict)

    def free(self, code):
        """How many can be reserved."""
        return self.there.get(code, 0) - self.held.get(code, 0)

    def hold(self, code, quantity):
        """Reserve as many as there are, at most `quantity`; answers how many."""
        possible = min(
            quantity,
            self.free(code),
        )
        self.held[code] = self.held.get(code, 0) + possible
        return possible

    def give_back(self, code, quantity):
        """Undo a reservation."""
        self.held[code] = self.held.get(code, 0) - quantity

    def take(self, code, quantity):
        """Goods that were held leave the house."""
        self.give_back(code, quantity)
        self.there[code] = self.there.get(code, 0) - quantity


# ======================================================================
# Orders
# ======================================================================


@dataclass
class Line:
    """An article of an order, how many were wanted and how many were reserved."""

    article: Article
    wanted: int
    reserved: int = 0

    @property
    def missing(self):
        """How many could not be reserved."""
        return self.wanted - self.reserved

    @property
    def worth(self):
        """The price of what was reserved."""
        return self.article.price * self.reserved


@dataclass
class Order:
    """A customer's wish."""

    number: int
    lines: list
    state: str = "new"
    region: str = "home"

    @property
    def is_short(self):
        """Whether something is missing."""
        return any(line.missing for line in self.lines)


# ======================================================================
# Prices
#
# The postage is by weight and region. Above `FREE_FROM` it costs nothing at
# home. A handling charge is taken once an order, not once a line.
# ======================================================================

FREE_FROM = Decimal("50")
HANDLING = Decimal("1.50")

POSTAGE = {
    "home": (
        (500, Decimal("2.90")),
        (2000, Decimal("4.90")),
        (10000, Decimal("8.90")),
    ),
    "abroad": (
        (500, Decimal("6.90")),
        (2000, Decimal("14.90")),
        (10000, Decimal("29.90")),
    ),
}


def postage(
    order,
    goods,
):
    """What sending an order costs."""
    if order.region == "home" and goods >= FREE_FROM:
        return Decimal(0)

    grams = sum(
        line.article.grams * line.reserved
        for line in order.lines
    )

    for limit, price in POSTAGE[order.region]:
        if grams <= limit:
            return price

    raise OrderError(
        f"{grams} g are too heavy",
    )


def priced(order):
    """Goods, postage, handling and their sum."""
    goods = sum(
        (line.worth for line in order.lines),
        Decimal(0),
    )
    sending = postage(
        order,
        goods,
    )
    handling = HANDLING if goods else Decimal(0)
    return {
        "goods": goods,
        "postage": sending,
        "handling": handling,
        "sum": goods + sending + handling,
    }


# ======================================================================
# The desk: each step of an order
# ======================================================================


class Desk:
    """Takes orders through their states."""

    def __init__(
        self,
        stock,
    ):
        self.stock = stock

    # ------------------------------------------------------------------
    # Reserving: line by line, as far as the stock goes
    # ------------------------------------------------------------------

    @journalled("reserve")
    def reserve(self, order):
        """Hold stock for every line; answers whether nothing is missing."""
        expect(order, "new")

        for line in order.lines:
            code = line.article.code
            line.reserved = self.stock.hold(code, line.wanted)

        order.state = "reserved"
        return not order.is_short

    # ------------------------------------------------------------------
    # Shipping: what is held leaves the house
    # ------------------------------------------------------------------

    @journalled("ship")
    def ship(self, order):
        """Send what was reserved; answers its price."""
        expect(order, "reserved")

        bill = priced(order)

        for line in order.lines:
            self.stock.take(line.article.code, line.reserved)

        order.state = "shipped"
        return bill

    # ------------------------------------------------------------------
    # Cancelling: what is held is given back
    # ------------------------------------------------------------------

    @journalled("cancel", quiet=True)
    def cancel(self, order):
        """Give the stock of an order back."""
        if order.state == "reserved":

            for line in order.lines:
                code = line.article.code
                back = line.wanted
                self.stock.give_back(code, back)

        order.state = "cancelled"


def expect(order, state):
    """Refuse a step that comes at the wrong time."""
    if order.state != state:
        raise OrderError(f"order {order.number} is {order.state}, not {state}")


if __name__ == "__main__":
    tea = Article("tea", Decimal("4.50"), 250)
    stock = Stock({"tea": 10})
    desk = Desk(stock)

    first, second = Order(1, [Line(tea, 4)]), Order(2, [Line(tea, 9)])
    print("all there:", desk.reserve(first), desk.reserve(second))
    desk.cancel(second)
    print(desk.ship(first)["sum"], "paid; free:", stock.free("tea"), "of", stock.there["tea"])
