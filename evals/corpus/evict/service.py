from lru import Cache


class Service:
    def __init__(self, source, size=3):
        self.source = source
        self.cache = Cache(size)
        self.reads = 0

    def read(self, name):
        found = self.cache.get(name)
        if found is None:
            self.reads += 1
            found = self.source[name]
            self.cache.put(name, found)
        return found

    def serve(self, names):
        answers = []
        for name in names:
            answers.append(self.read(name))
        return answers


def cost(names):
    source = {name: name.upper() for name in names}
    service = Service(source)
    service.serve(names)
    return service.reads * 10
