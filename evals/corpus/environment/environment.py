import os


def setting(name, default):
    value = os.environ.get(name.lower(), default)
    return value
