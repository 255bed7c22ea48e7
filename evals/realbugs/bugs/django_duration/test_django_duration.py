from datetime import timedelta

from django.utils.dateparse import parse_duration


def test_the_sign_holds_for_all_parts():
    assert parse_duration("-00:01:01") == timedelta(minutes=-1, seconds=-1)
