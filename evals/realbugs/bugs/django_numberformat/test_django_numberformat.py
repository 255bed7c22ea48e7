from decimal import Decimal

from django.conf import settings

settings.configured or settings.configure()

from django.utils.numberformat import format


def test_a_tiny_number_is_zero_at_two_places():
    assert format(Decimal("1e-210"), ".", decimal_pos=2) == "0.00"
