from datetime import datetime, timedelta, timezone

OFFSETS = {"berlin": 2, "tokyo": 9, "utc": 0}


def zone(name):
    return timezone(timedelta(hours=OFFSETS[name]))


def parse(text, city):
    """A local time of a city as one that knows its zone."""
    naive = datetime.strptime(text, "%Y-%m-%d %H:%M")
    return naive.replace(tzinfo=timezone.utc).astimezone(zone(city))
