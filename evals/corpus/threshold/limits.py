class Limits:
    def __init__(self, table):
        self.table = table

    @classmethod
    def parse(cls, text):
        table = {}
        for line in text.splitlines():
            name, _, value = line.partition("=")
            if name.strip():
                table[name.strip()] = value.strip()
        return cls(table)

    def top(self, name):
        return self.table.get(name, self.table.get("default", "0"))
