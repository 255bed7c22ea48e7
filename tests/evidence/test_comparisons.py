"""What failed assertions of several runners compared, read from their own words."""

import pytest

from dapwright.evidence.verdicts import comparison

SAID = {
    "googletest": (
        "t.cpp:4: Failure\nExpected equality of these values:\n  got\n    Which is: -1\n  want\n    Which is: 5\nsum",
        ("-1", "5"),
    ),
    "googletest literal": (
        "t.cpp:4: Failure\nExpected equality of these values:\n  got\n    Which is: -1\n  7",
        ("-1", "7"),
    ),
    "googletest order": ("t.cpp:8: Failure\nExpected: (n) < (3), actual: 3 vs 3", ("3", "3")),
    "catch2": ("t.cpp:4: FAILED:\n  REQUIRE( got == want )\nwith expansion:\n  -1 == 5", ("-1", "5")),
    "rust": ("assertion `left == right` failed: sums\n  left: 3\n right: 4", ("3", "4")),
    "none": ("std::runtime_error: boom", None),
}


@pytest.mark.parametrize("runner", SAID)
def test_the_operands_are_read_where_the_runner_says_both(runner):
    message, expected = SAID[runner]
    found = comparison(message)
    assert (found and (found["left"], found["right"])) == expected
