"""What failed assertions of several runners compared, read by each language from its own words."""

import pytest

from dapwright.adapters import _native_words, rust

SAID = {
    "googletest": (
        _native_words.compare,
        "t.cpp:4: Failure\nExpected equality of these values:\n  got\n    Which is: -1\n  want\n    Which is: 5\nsum",
        ("-1", "5"),
    ),
    "googletest literal": (
        _native_words.compare,
        "t.cpp:4: Failure\nExpected equality of these values:\n  got\n    Which is: -1\n  7",
        ("-1", "7"),
    ),
    "googletest order": (
        _native_words.compare,
        "t.cpp:8: Failure\nExpected: (n) < (3), actual: 3 vs 3",
        ("3", "3"),
    ),
    "catch2": (
        _native_words.compare,
        "t.cpp:4: FAILED:\n  REQUIRE( got == want )\nwith expansion:\n  -1 == 5",
        ("-1", "5"),
    ),
    "doctest": (
        _native_words.compare,
        "d.cpp:8: ERROR: CHECK( total == 3 ) is NOT correct!\nvalues: CHECK( 2 == 3 )",
        ("2", "3"),
    ),
    "doctest binary": (
        _native_words.compare,
        "d.cpp:8: ERROR: CHECK_EQ( total, 3 ) is NOT correct!\n  values: CHECK_EQ( 2, 3 )",
        ("2", "3"),
    ),
    "boost": (
        _native_words.compare,
        'b.cpp(7): error: in "math/adds": check total == 5 has failed [4 != 5]',
        ("4", "5"),
    ),
    "c++ thrown": (_native_words.compare, "std::runtime_error: boom", None),
    "rust": (rust.compare, "assertion `left == right` failed: sums\n  left: 3\n right: 4", ("3", "4")),
    "rust panic": (rust.compare, "index out of bounds: the len is 3 but the index is 4", None),
}


@pytest.mark.parametrize(("compare", "message", "expected"), SAID.values(), ids=SAID)
def test_the_operands_are_read_where_the_runner_says_both(compare, message, expected):
    found = compare(message)
    assert (found and (found["left"], found["right"])) == expected
