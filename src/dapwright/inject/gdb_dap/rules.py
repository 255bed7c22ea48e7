"""Hit conditions of one meaning, kept by gdb's own ignore count, so that a hit that does not count is cheap."""

import re

from .wiring import startup

NEVER = 2**31 - 1
HIT = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*$")


class Record:
    """A breakpoint as the client asked for it, beside gdb's own."""

    def __init__(self, key, bp):
        self.key, self.bp = key, bp
        self.condition = self.rule = None
        self.base = self.seen = 0
        self.message = None

    def set_condition(self, condition):
        """Set gdb's condition; setting the same again would reset what gdb knows."""
        if condition == self.condition:
            return
        self.bp.condition = condition
        self.condition, self.message = condition, None

    def set_rule(self, text):
        """Count from here on, unless the rule is the one that counts already."""
        if text == self.rule:
            return
        self.parse(text)
        self.rule, self.base = text, self.bp.hit_count
        self.arm()

    def parse(self, text):
        """(operator, number) of a hit condition; raises for any other text."""
        if text is None:
            return None
        found = HIT.match(text)
        if found is None or int(found.group(2)) < 1:
            raise startup.DAPException("`%s` is no hit condition: N, ==N, >N, >=N, <N, <=N or %%N" % text)
        return found.group(1) or "==", int(found.group(2))

    def begin(self):
        """Count from nothing: a new run."""
        self.base = self.bp.hit_count
        self.arm()

    def fired(self):
        """Whether this stop is its own: gdb names those of the place whose condition was false, too."""
        before, self.seen = self.seen, self.bp.hit_count
        rule = self.parse(self.rule)
        return self.seen > before and (rule is None or counts(rule, self.seen - self.base))

    def arm(self):
        """Let gdb ignore as many hits as come before the next that counts."""
        rule = self.parse(self.rule)
        self.bp.ignore_count = 0 if rule is None else ignored(rule, self.bp.hit_count - self.base)


def ignored(rule, seen):
    """How many hits to pass over after SEEN of them."""
    operator, n = rule
    if operator == "%":
        return n - 1 - seen % n
    if operator in (">", ">="):
        return max(0, n - 1 - seen + (operator == ">"))
    if operator in ("<", "<="):
        return 0 if seen + 1 < n + (operator == "<=") else NEVER
    return n - 1 - seen if seen < n else NEVER


class LogRecord(Record):
    """A log point's wishes are kept by itself."""

    def set_condition(self, condition):
        self.bp.condition = condition
        self.bp.condition = None
        self.bp.test = self.condition = condition

    def set_rule(self, text):
        self.bp.rule, self.rule = self.parse(text), text

    def fired(self):
        return False

    def begin(self):
        self.bp.passed = 0

    def arm(self):
        """It counts by itself; a stop of another breakpoint at its place takes nothing from that."""


def counts(rule, n):
    """Whether the N-th hit is one that the rule asks for."""
    operator, wanted = rule
    return {
        "==": n == wanted,
        ">": n > wanted,
        ">=": n >= wanted,
        "<": n < wanted,
        "<=": n <= wanted,
        "%": n % wanted == 0,
    }[operator]
