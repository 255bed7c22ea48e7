def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value


class Color:
    def __init__(self, red, green, blue):
        self.parts = [red, green, blue]

    def scale(self, factor):
        made = [clamp(round(part * factor), 0, 255) for part in self.parts]
        return Color(*made)

    def shift(self, amount):
        shifted = []
        for part in self.parts:
            shifted.append(clamp(part + amount, 255, 0))
        return Color(*shifted)

    def code(self):
        return "#" + "".join(f"{part:02x}" for part in self.parts)


def theme(base, steps):
    colors = [base]
    for step in steps:
        shade = colors[-1].scale(1.2)
        if step:
            shade = shade.shift(step)
        colors.append(shade)
    return colors


def codes(base, steps):
    return [color.code() for color in theme(Color(*base), steps)]
