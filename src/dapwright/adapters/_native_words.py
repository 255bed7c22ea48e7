"""How GoogleTest and Catch2 say what a failed assertion compared; CTest runs either, and does not tell which."""

import re

from dapwright.core.model import Wording

GTEST = re.compile(
    r"Expected equality of these values:\n\s*(.+)\n(?:\s*Which is: (.+)\n)?\s*(.+)(?:\n\s*Which is: (.+))?"
)
GTEST_ACTUAL = re.compile(r"Expected: .*, actual: (.+) vs (.+)")
CATCH = re.compile(r"with expansion:\n\s*(.+?) (?:==|!=|<=|>=|<|>) (.+)")


def compare(message: str) -> dict[str, str] | None:
    """The two sides of a failed assertion of GoogleTest or Catch2."""
    if found := GTEST.search(message):
        return {"left": (found[2] or found[1]).strip(), "right": (found[4] or found[3]).strip()}
    found = GTEST_ACTUAL.search(message) or CATCH.search(message)
    return {"left": found[1].strip(), "right": found[2].strip()} if found else None


WORDING = Wording(compare)
