def label(raw):
    text = raw.decode("latin-1")
    return text.upper()
