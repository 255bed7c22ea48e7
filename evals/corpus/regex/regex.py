import re


def first(text):
    found = re.match(r"<(.+)>", text)
    return found.group(1)
