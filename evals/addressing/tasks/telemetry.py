"""Readings of thermometers: parsed, calibrated, cleaned, and told by the hour."""

import statistics
from collections import defaultdict
from dataclasses import dataclass

# ------------------------------------------------------------------------
# The format
#
#   station;minute;raw
#
# `minute` counts from midnight. `raw` is what the sensor counts: a tenth of
# a degree a step, from -40.0 upwards. A raw of 0 is a sensor that has lost
# its cable, and is not a temperature.
# ------------------------------------------------------------------------

STEP = 0.1
LOWEST = -40.0
UNPLUGGED = 0


@dataclass(frozen=True)
class Reading:
    """One value of one station."""

    station: str

    minute: int

    celsius: float

    @property
    def hour(self):
        """The hour of the day that it falls into."""

        return self.minute // 60


def parse(line):
    """Read one line; None for a sensor that is unplugged."""

    station, minute, raw = line.split(";")

    steps = int(raw)

    if steps == UNPLUGGED:

        return None

    celsius = LOWEST + steps * STEP

    return Reading(station, int(minute), celsius)


# ------------------------------------------------------------------------
# Cleaning
#
# A jump of more than `most` degrees from the reading before is a spike. It
# is left out, and the next one is compared with the last that was kept.
#
# The first reading of a station has nothing to be compared with.
# ------------------------------------------------------------------------


def without_spikes(readings, most=5.0):
    """Leave out readings that jump."""

    kept = []

    before = {}

    for reading in readings:

        last = before.get(reading.station)

        before[reading.station] = reading.celsius

        if last is not None and abs(reading.celsius - last) > most:

            continue

        kept.append(reading)

    return kept


# ------------------------------------------------------------------------
# Telling
# ------------------------------------------------------------------------


def by_hour(readings):
    """Means by station and hour, rounded to a tenth."""

    grouped = defaultdict(list)

    for reading in readings:

        key = (reading.station, reading.hour)

        grouped[key].append(reading.celsius)

    means = {}

    for key, values in sorted(grouped.items()):

        means[key] = round(statistics.mean(values), 1)

    return means


def told(text):
    """The whole way: from lines to means."""

    parsed = [parse(line) for line in text.split()]

    readings = [one for one in parsed if one is not None]

    return by_hour(without_spikes(readings))


DAY = """
north;05;520
north;20;524
north;35;900
north;50;528
south;10;600
south;30;0
south;70;604
"""


if __name__ == "__main__":
    for (station, hour), mean in told(DAY).items():
        print(station, hour, mean)
