def collect(item, into=[]):
    into.append(item)
    return into
