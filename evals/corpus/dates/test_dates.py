from dates import *


def test_dates():
    assert parse('03/04/2024') == '2024-04-03'
