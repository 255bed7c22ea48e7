import re

WORD = re.compile(r"\s*(\d+|[-+*/()])")


def tokens(text):
    found, place, last = [], 0, "("
    while place < len(text):
        match = WORD.match(text, place)
        if match is None:
            raise ValueError(f"what is {text[place:]!r}?")
        word, place = match.group(1), match.end()
        if word == "-" and not last.isdigit():
            word = "neg"
        found.append(word)
        last = word
    return found
