from datetime import datetime

import arrow


def test_the_last_day_of_a_month_stays_the_last():
    days = [one.day for one in arrow.Arrow.range("month", datetime(2015, 1, 31), datetime(2015, 5, 31))]
    assert days == [31, 28, 31, 30, 31]
