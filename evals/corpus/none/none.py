def normal(text):
    text = text.strip().lower()
    if text:
        text


def greet(name):
    shown = normal(name)
    return f"hello {shown}"
