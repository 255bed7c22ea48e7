from clock import parse


class Shift:
    def __init__(self, city, start, end):
        self.city = city
        self.start = parse(start, city)
        self.end = parse(end, city)

    def hours(self):
        return (self.end - self.start).total_seconds() / 3600

    def covers(self, moment):
        return self.start <= moment < self.end


def on_duty(shifts, text, city):
    moment = parse(text, city)
    names = []
    for name, shift in shifts.items():
        if shift.covers(moment):
            names.append(name)
    return sorted(names)


def plan():
    return {
        "ada": Shift("berlin", "2024-05-06 08:00", "2024-05-06 16:00"),
        "ken": Shift("tokyo", "2024-05-06 09:00", "2024-05-06 17:00"),
        "eve": Shift("utc", "2024-05-06 12:00", "2024-05-06 20:00"),
    }
