from limits import Limits


class Meter:
    def __init__(self, name, limits):
        self.name = name
        self.limits = limits
        self.values = []

    def read(self, value):
        self.values.append(value)

    def peak(self):
        return max(self.values, default=0)

    def alarmed(self):
        top = self.limits.top(self.name)
        return str(self.peak()) > top


def alarms(text, readings):
    limits = Limits.parse(text)
    meters = {}
    for name, value in readings:
        meter = meters.setdefault(name, Meter(name, limits))
        meter.read(value)
    return [name for name, meter in meters.items() if meter.alarmed()]
