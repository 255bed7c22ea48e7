def read(text):
    values = []
    for word in text.split(","):
        try:
            values.append(int(word))
        except ValueError as wrong:
            skipped = str(wrong)
    return values
