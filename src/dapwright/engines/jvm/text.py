"""Java values as text."""

from dapwright.engines.jvm.packets import Value

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\0": "\\0"}
PREVIEW = 120
"""Characters of a string inside a preview."""


def quote(text: str, limit: int = 0) -> str:
    """A string as a Java literal, cut to `limit` characters (0: whole)."""
    cut = text if not limit or len(text) <= limit else text[:limit]
    more = "" if len(cut) == len(text) else f"… ({len(text)} characters)"
    return '"' + "".join(ESCAPES.get(c, c) for c in cut) + more + '"'


def primitive(value: Value) -> str:
    """A number, a boolean or a character as Java prints it (a `long` without its L)."""
    match value.tag:
        case "V":
            return "void"
        case "Z":
            return "true" if value.value else "false"
        case "C":
            letter = chr(value.value)
            return "'" + ("\\'" if letter == "'" else '"' if letter == '"' else ESCAPES.get(letter, letter)) + "'"
        case "F":
            return floating(value.value, 9)
        case "D":
            return floating(value.value, 17)
    return str(value.value)


def floating(number: float, digits: int) -> str:
    """A float (9 digits tell it apart) or double (17) by the fewest digits, as Java writes it."""
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    text = repr(number) if digits == 17 else _shortest(number, digits)
    size = abs(number)
    if size and not 1e-3 <= size < 1e7:
        mantissa, _, exponent = _scientific(text).partition("e")
        return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"
    if "e" in text:
        text = f"{number:.{digits}f}".rstrip("0")
        return text + "0" if text.endswith(".") else text
    return text if "." in text else text + ".0"


def _shortest(number: float, digits: int) -> str:
    import struct  # only floats need it

    for count in range(1, digits + 1):
        text = f"{number:.{count}g}"
        if struct.pack(">f", float(text)) == struct.pack(">f", number):
            return repr(float(text))
    return repr(number)


def _scientific(text: str) -> str:
    if "e" in text:
        return text
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, part = digits.partition(".")
    joined = (whole + part).lstrip("0")
    lead = len(whole) - 1 if whole.strip("0") else -(len(part) - len(part.lstrip("0")) + 1)
    mantissa = joined[0] + "." + (joined[1:].rstrip("0") or "0")
    return f"{sign}{mantissa}e{lead}"
