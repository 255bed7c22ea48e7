"""What the bytes of a data item mean, and the bytes of a value."""

import struct
from decimal import Decimal, InvalidOperation

PACKED = ("COMP-3", "PACKED-DECIMAL", "COMP-6")
NATIVE = ("COMP-5", "INDEX", "COMP-N")
BIG = ("COMP", "BINARY", "COMP-4", "COMP-X")
FLOATS = {"COMP-1": "<f", "COMP-2": "<d"}


def decode(item, data):
    """A value as text: a number with its decimal point, else the characters in quotes."""
    try:
        if item.usage in FLOATS:
            return repr(struct.unpack(FLOATS[item.usage], data)[0])
        if "POINTER" in item.usage:
            return hex(int.from_bytes(data, "little"))
        number = _number(item, data)
    except (ValueError, struct.error):
        return "<not a valid %s: %s>" % (item.usage, data.hex())
    if number is not None:
        return format(Decimal(number).scaleb(-item.scale), "f")
    return '"%s"' % data.decode("latin-1").rstrip("\0")


def _number(item, data):
    if item.usage in PACKED:
        return _packed(data.hex(), item.usage != "COMP-6")
    if item.usage in NATIVE or item.kind == "INDEX":
        return int.from_bytes(data, "little", signed=item.signed or not item.digits)
    if item.usage in BIG:
        return int.from_bytes(data, "big", signed=item.signed)
    return _zoned(item, bytearray(data)) if item.numeric and not item.children else None


def _packed(nibbles, signed):
    if not signed:
        return int(nibbles)
    if nibbles[-1] not in "abcdef":
        raise ValueError("no sign")
    return int(nibbles[:-1]) * (-1 if nibbles[-1] in "db" else 1)


def _zoned(item, data):
    """Digits as characters; GnuCOBOL marks a negative one in the last: `p` to `y`."""
    sign = 1
    if item.separate:
        at = 0 if data[:1] in (b"+", b"-") else -1
        sign = -1 if data[at] == ord("-") else 1
        del data[at]
    elif item.signed and data[-1] & 0x40:
        sign, data[-1] = -1, data[-1] & 0x3F
    return sign * int(data.decode("ascii"))


def encode(item, text):
    """The bytes of a value.

    Raises ValueError with words for a person: it does not fit, or is no number.
    """
    text = text.strip()
    if item.usage in FLOATS:
        return struct.pack(FLOATS[item.usage], float(text))
    if item.children or not (item.numeric or item.usage in PACKED + NATIVE + BIG):
        plain = text[1:-1] if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0] else text
        if len(plain) > item.unit:
            raise ValueError("%s holds %d characters" % (item.name, item.unit))
        return plain.encode("latin-1").ljust(item.unit)
    return _bytes(item, _scaled(item, text))


def _scaled(item, text):
    try:
        value = Decimal(text).scaleb(item.scale)
    except InvalidOperation:
        raise ValueError("`%s` is no number" % text) from None
    if value != value.to_integral_value():
        raise ValueError("%s has %d decimal places" % (item.name, item.scale))
    number = int(value)
    if number < 0 and not item.signed:
        raise ValueError("%s is unsigned" % item.name)
    if item.digits and len(str(abs(number))) > item.digits:
        raise ValueError("%s holds %d digits" % (item.name, item.digits))
    return number


def _bytes(item, number):
    digits = str(abs(number))
    if item.usage in PACKED:
        sign = "" if item.usage == "COMP-6" else "d" if number < 0 else "c" if item.signed else "f"
        return bytes.fromhex((digits + sign).rjust(item.unit * 2, "0"))
    if item.usage in NATIVE + BIG or item.kind == "INDEX":
        order = "big" if item.usage in BIG else "little"
        try:
            return number.to_bytes(item.unit, order, signed=item.signed or not item.digits)
        except OverflowError:
            raise ValueError("%s holds %d bytes" % (item.name, item.unit)) from None
    data = bytearray(digits.rjust(item.digits, "0").encode())
    if item.separate:
        return (b"-" if number < 0 else b"+") + bytes(data)
    if number < 0:
        data[-1] |= 0x40
    return bytes(data)
