"""Breakpoints that print and go on."""

import re

import gdb

from .rules import counts
from .wiring import tell

PARTS = re.compile(r"(\{\{|\}\}|\{[^{}]*\})")


class LogPoint(gdb.Breakpoint):
    """Prints and goes on. Its condition and count are checked here: gdb asks `stop` before the condition."""

    def __init__(self, logMessage, **place):
        super().__init__(**place)
        self.message = logMessage
        self.test = self.rule = None
        self.passed = 0

    def stop(self):
        try:
            if self.test is not None and not bool(gdb.parse_and_eval(self.test)):
                return False
        except gdb.error as error:
            self.fail(error)
            return False
        self.passed += 1
        if self.rule is None or counts(self.rule, self.passed):
            body = {"category": "log", "output": interpolate(self.message) + "\n", "breakpointId": self.number}
            tell("output", body)
        return False


def expressions(message):
    """What is to be filled in."""
    return [part[1:-1] for part in PARTS.split(message) if part.startswith("{") and part != "{{"]


def interpolate(message):
    """Fill `{expression}`; `{{` and `}}` are literal."""
    return "".join(_fill(part) for part in PARTS.split(message))


def _fill(part):
    if part in ("{{", "}}"):
        return part[0]
    if not part.startswith("{"):
        return part
    try:
        return gdb.parse_and_eval(part[1:-1]).format_string(max_elements=32, max_depth=3)
    except gdb.error as error:
        return "{<error: %s>}" % error
