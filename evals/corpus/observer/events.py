class Bus:
    def __init__(self):
        self.listeners = []
        self.told = []

    def on(self, listener):
        self.listeners.append(listener)

    def off(self, listener):
        self.listeners.remove(listener)

    def emit(self, event):
        for listener in self.listeners:
            self.told.append(listener.name)
            listener.hear(self, event)


class Listener:
    def __init__(self, name, once=False):
        self.name = name
        self.once = once
        self.heard = 0

    def hear(self, bus, event):
        self.heard += event["weight"]
        if self.once:
            bus.off(self)


def play(*weights):
    bus = Bus()
    people = [Listener("log"), Listener("first", once=True), Listener("mail"), Listener("stats")]
    for one in people:
        bus.on(one)
    for weight in weights:
        bus.emit({"weight": weight})
    order = bus.told
    return {one.name: one.heard for one in people}
