"""Java's arithmetic on values, exactly: promotion, overflow, division, shifts, comparison."""

import math
import struct
from collections.abc import Callable

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.signatures import LETTERS, PRIMITIVES

RANK = {"B": 1, "S": 2, "C": 2, "I": 3, "J": 4, "F": 5, "D": 6}
BITS = {"B": 8, "S": 16, "I": 32, "J": 64}
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def wrap(number: int, tag: str) -> int:
    """Fit an integer into its type, overflowing as Java does."""
    if tag == "C":
        return number & 0xFFFF
    bits = BITS[tag]
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def convert(value: Value, tag: str) -> Value:
    """Convert a number to another primitive type, as a cast does.

    Raises:
        UsageError: one of the two is no number.
    """
    if value.tag == tag:
        return value
    if value.tag not in RANK or tag not in RANK:
        raise UsageError(f"a {PRIMITIVES.get(value.tag, 'reference')} cannot become a {PRIMITIVES.get(tag, tag)}")
    number = value.value
    if tag in "FD":
        return Value(tag, single(number) if tag == "F" else float(number))
    if value.tag in "FD":
        return _truncate(number, tag)
    return Value(tag, wrap(number, tag))


def _truncate(number: float, tag: str) -> Value:
    """A float becomes an int or long at most (NaN is 0), and then what was wanted."""
    wide = "J" if tag == "J" else "I"
    bits = BITS[wide]
    if math.isnan(number):
        whole = 0
    elif math.isinf(number):
        whole = (1 << (bits - 1)) - 1 if number > 0 else -(1 << (bits - 1))
    else:
        whole = max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, int(number)))
    return Value(tag, wrap(whole, tag))


def single(number: float) -> float:
    """The float nearest to a double."""
    try:
        return float(struct.unpack(">f", struct.pack(">f", number))[0])
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def promoted(*values: Value) -> str:
    """The type in which an operator works on its operands."""
    for value in values:
        if value.tag not in RANK:
            raise UsageError(f"a number is needed, not a {PRIMITIVES.get(value.tag, 'reference')}")
    return max((value.tag for value in values), key=lambda tag: RANK[tag]) if _wide(values) else "I"


def _wide(values: tuple[Value, ...]) -> bool:
    return any(RANK[value.tag] > 3 for value in values)


def unary(operator: str, value: Value) -> Value:
    """`+`, `-`, `~` of a number, `!` of a boolean."""
    if operator == "!":
        if value.tag != "Z":
            raise UsageError("`!` needs a boolean")
        return Value("Z", not value.value)
    tag = promoted(value)
    number = convert(value, tag).value
    if operator == "~":
        if tag in "FD":
            raise UsageError("`~` needs a whole number")
        return Value(tag, ~number)
    number = -number if operator == "-" else number
    return Value(tag, number if tag in "FD" else wrap(number, tag))


def binary(operator: str, left: Value, right: Value) -> Value:
    """Apply an operator to two primitive values.

    Raises:
        UsageError: the types do not fit, or a whole number is divided by zero.
    """
    if left.tag == "Z" and right.tag == "Z":
        return _logic(operator, left.value, right.value)
    if operator in ("<<", ">>", ">>>"):
        return _shift(operator, left, right)
    tag = promoted(left, right)
    a, b = convert(left, tag).value, convert(right, tag).value
    if operator in COMPARE:
        return Value("Z", COMPARE[operator](a, b))
    if operator in ("&", "|", "^"):
        if tag in "FD":
            raise UsageError(f"`{operator}` needs whole numbers")
        return Value(tag, {"&": a & b, "|": a | b, "^": a ^ b}[operator])
    return Value(tag, _float(operator, a, b, tag) if tag in "FD" else wrap(_whole(operator, a, b), tag))


def _logic(operator: str, a: bool, b: bool) -> Value:
    results = {"&": a and b, "|": a or b, "^": a != b, "==": a == b, "!=": a != b}
    if operator not in results:
        raise UsageError(f"`{operator}` does not take booleans")
    return Value("Z", results[operator])


def _shift(operator: str, left: Value, right: Value) -> Value:
    tag = promoted(left)
    if tag in "FD" or promoted(right) in "FD":
        raise UsageError(f"`{operator}` needs whole numbers")
    bits = BITS[tag]
    number, by = convert(left, tag).value, int(right.value) & (bits - 1)
    if operator == "<<":
        return Value(tag, wrap(number << by, tag))
    if operator == ">>>":
        number &= (1 << bits) - 1
    return Value(tag, wrap(number >> by, tag))


def _whole(operator: str, a: int, b: int) -> int:
    if operator in ("/", "%") and b == 0:
        raise UsageError("java.lang.ArithmeticException: / by zero")
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


def _float(operator: str, a: float, b: float, tag: str) -> float:
    if operator == "/" and b == 0:
        sign = math.copysign(1, a) * math.copysign(1, b)
        found = math.nan if a == 0 or math.isnan(a) else sign * math.inf
    elif operator == "%":
        found = math.nan if b == 0 or math.isinf(a) else a if math.isinf(b) else math.fmod(a, b)
    else:
        found = {"+": a + b, "-": a - b, "*": a * b}.get(operator, a / b if b else math.nan)
    return single(found) if tag == "F" else found


def widens(given: str, wanted: str) -> bool:
    """Tell whether a primitive type becomes another without a cast."""
    if given == wanted:
        return True
    if given not in RANK or wanted not in RANK or wanted == "C":
        return False
    return RANK[given] < RANK[wanted] and not (given == "C" and wanted == "S")


def tag_of(name: str) -> str:
    """The tag of a primitive type's name; "" for a reference type."""
    return LETTERS.get(name, "")
