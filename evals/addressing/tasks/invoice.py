"""Invoices: lines, a discount by volume, tax by region."""

from decimal import ROUND_HALF_UP, Decimal

RATES = {
    "north": Decimal("0.19"),
    "south": Decimal("0.07"),
}


def rounded(
    amount,
    places="0.01",
):
    """Round half up to cents."""
    return amount.quantize(
        Decimal(places),
        rounding=ROUND_HALF_UP,
    )


def volume_discount(
    quantity,
    price,
):
    """Ten or more of one thing are five per cent cheaper."""
    if quantity > 10:
        return price * Decimal("0.95")
    return price


def total(
    lines,
    region,
):
    """Net, tax and gross of an invoice."""
    net = Decimal(0)
    for quantity, price in lines:
        unit = volume_discount(
            quantity,
            Decimal(price),
        )
        net += unit * quantity
    tax = rounded(net * RATES[region])
    return net, tax, net + tax


if __name__ == "__main__":
    print(
        total(
            [(10, "2.00"), (1, "5.00")],
            "north",
        )
    )
