import unicodedata


def clean(name):
    """A name as it is kept: trimmed, small letters."""
    return " ".join(name.split()).casefold()


class Register:
    def __init__(self):
        self.rows = {}

    def add(self, name, number):
        key = clean(name)
        self.rows[key] = number
        return key

    def find(self, name):
        wanted = clean(name)
        size = len(wanted)
        if wanted not in self.rows:
            return None
        return self.rows[wanted]

    def known(self):
        return sorted(self.rows)


def load(lines):
    register = Register()
    for line in lines:
        name, _, number = line.rpartition(" ")
        register.add(name, int(number))
    return register


def typed(text):
    """What a keyboard of another make sends."""
    return unicodedata.normalize("NFD", text)
