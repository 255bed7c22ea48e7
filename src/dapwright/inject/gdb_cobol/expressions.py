"""COBOL expressions: items with subscripts and qualifiers, arithmetic, comparisons, AND, OR, NOT."""

import re
from decimal import Decimal, DivisionByZero, InvalidOperation

from gdb_dap.wiring import module

from .frames import program_of
from .references import ItemReference

DAPException = module("startup").DAPException
TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<number>\d+(?:\.\d+)?)(?![\w-])"""
    r"""|(?P<name>[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)|(?P<sign><=|>=|<>|:=|[=<>()+,*/-]))"""
)
CONSTANTS = {"ZERO": "0", "ZEROS": "0", "ZEROES": "0", "SPACE": '" "', "SPACES": '" "'}
COMPARISONS = {
    "=": lambda a, b: a == b, "<>": lambda a, b: a != b, ">": lambda a, b: a > b, "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b,
}  # fmt: skip
WORDS = {"EQUAL": "=", "EQUALS": "=", "GREATER": ">", "LESS": "<"}


class Expression:
    """A recursive descent; values are items, texts (numbers, or characters in quotes) and booleans."""

    def __init__(self, text, frame):
        self.tokens, self.at, self.frame, self.program = [], 0, frame, program_of(frame)
        text, place = text.strip(), 0
        while place < len(text):
            found = TOKEN.match(text, place)
            if found is None:
                raise DAPException("`%s` is no COBOL expression" % text[place:].strip())
            self.tokens.append((found.lastgroup, found.group(found.lastgroup)))
            place = found.end()

    def value(self):
        """The whole expression's value."""
        found = self.either()
        if self.at != len(self.tokens):
            raise DAPException("`%s` was not expected" % self.tokens[self.at][1])
        return found

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, "")

    def take(self, *wanted):
        kind, text = self.peek()
        if kind in ("name", "sign") and text.upper() in wanted:
            self.at += 1
            return text.upper()
        return ""

    def either(self):
        found = self.both()
        while self.take("OR"):
            other = self.both()
            found = truth(found) or truth(other)
        return found

    def both(self):
        found = self.comparison()
        while self.take("AND"):
            other = self.comparison()
            found = truth(found) and truth(other)
        return found

    def comparison(self):
        if self.take("NOT"):
            return not truth(self.comparison())
        left = self.sum()
        self.take("IS")
        negated = bool(self.take("NOT"))
        sign = self.take(*COMPARISONS, *WORDS)
        if not sign:
            return left
        self.take("THAN", "TO")
        if self.take("OR"):
            self.take("EQUAL")
            self.take("TO")
            sign = {"GREATER": ">=", "LESS": "<="}.get(sign, sign)
        right = self.sum()
        return COMPARISONS[WORDS.get(sign, sign)](*comparable(text_of(left), text_of(right))) != negated

    def sum(self):
        found = self.product()
        while True:
            sign = self.take("+", "-")
            if not sign:
                return found
            other = number(self.product())
            found = str(number(found) + other if sign == "+" else number(found) - other)

    def product(self):
        found = self.atom()
        while True:
            sign = self.take("*", "/")
            if not sign:
                return found
            other = number(self.atom())
            try:
                found = str(number(found) * other if sign == "*" else number(found) / other)
            except (DivisionByZero, InvalidOperation):
                raise DAPException("division by zero") from None

    def atom(self):
        if self.take("-"):
            return str(-number(self.atom()))
        if self.take("("):
            found = self.either()
            if not self.take(")"):
                raise DAPException("a `)` is missing")
            return found
        kind, text = self.peek()
        if kind == "number":
            self.at += 1
            return text
        if kind == "text":
            self.at += 1
            return '"%s"' % text[1:-1]
        if kind == "name" and text.upper() in CONSTANTS:
            self.at += 1
            return CONSTANTS[text.upper()]
        return self.item()

    def item(self):
        """A data item: NAME [OF GROUP]... [(subscript, ...)]."""
        kind, name = self.peek()
        candidates = self.program.index.get(name.upper(), [])
        if kind != "name" or not candidates:
            raise DAPException("there is no data item `%s`" % name)
        self.at += 1
        while self.take("OF", "IN"):
            group = self.peek()[1].upper()
            self.at += 1
            candidates = [one for one in candidates if group in (part.name.upper() for part in one.chain()[:-1])]
        if len(candidates) != 1:
            raise DAPException("`%s` is %s" % (name, "ambiguous: qualify it with OF" if candidates else "not there"))
        subscripts = []
        if self.take("("):
            while not self.take(")"):
                subscripts.append(int(number(self.sum())))
                self.take(",")
        return ItemReference(candidates[0], self.frame, subscripts, result="result")


def text_of(value):
    """A value as text."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return value.text() if isinstance(value, ItemReference) else value


def truth(value):
    """A condition's value."""
    if isinstance(value, bool):
        return value
    raise DAPException("`%s` is no condition" % text_of(value))


def number(value):
    """A number's value."""
    try:
        return Decimal(text_of(value).strip('"'))
    except InvalidOperation:
        raise DAPException("`%s` is no number" % text_of(value)) from None


def comparable(left, right):
    """Two values as COBOL compares them: characters without the spaces after them, else numbers."""
    if left.startswith('"') or right.startswith('"'):
        return left.strip('"').rstrip(), right.strip('"').rstrip()
    return number(left), number(right)
