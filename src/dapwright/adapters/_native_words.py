"""How the test frameworks of C++ say what a failed assertion compared; CTest runs any, and does not tell which."""

import re

from dapwright.core.model import Wording

GTEST = re.compile(
    r"Expected equality of these values:\n\s*(.+)\n(?:\s*Which is: (.+)\n)?\s*(.+)(?:\n\s*Which is: (.+))?"
)
GTEST_ACTUAL = re.compile(r"Expected: .*, actual: (.+) vs (.+)")
CATCH = re.compile(r"with expansion:\n\s*(.+?) (?:==|!=|<=|>=|<|>) (.+)")
DOCTEST = re.compile(r"\n\s*values: \w+\( *(.+?)(?: (?:==|!=|<=|>=|<|>) |, )(.+?) *\)")
BOOST = re.compile(r"has failed \[(.+?) (?:==|!=|<=|>=|<|>) (.+)\]")


def compare(message: str) -> dict[str, str] | None:
    """The two sides of a failed assertion, as either of them words it."""
    if found := GTEST.search(message):
        return {"left": (found[2] or found[1]).strip(), "right": (found[4] or found[3]).strip()}
    found = GTEST_ACTUAL.search(message) or CATCH.search(message)
    found = found or DOCTEST.search(message) or BOOST.search(message)
    return {"left": found[1].strip(), "right": found[2].strip()} if found else None


WORDING = Wording(compare)
