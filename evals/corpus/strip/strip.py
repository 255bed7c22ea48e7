def stem(name):
    short = name.strip(".txt")
    return short
