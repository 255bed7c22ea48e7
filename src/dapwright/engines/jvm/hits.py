"""Hit conditions: `3` is the third hit alone, `>=3`, `>3`, `==3`, `<3`, `<=3`, `%3`."""

import re
from collections.abc import Callable

from dapwright.core.errors import UsageError

SHAPE = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*")
TESTS: dict[str, Callable[[int, int], bool]] = {
    "": lambda hits, wanted: hits == wanted,
    "==": lambda hits, wanted: hits == wanted,
    ">=": lambda hits, wanted: hits >= wanted,
    ">": lambda hits, wanted: hits > wanted,
    "<=": lambda hits, wanted: hits <= wanted,
    "<": lambda hits, wanted: hits < wanted,
    "%": lambda hits, wanted: hits % wanted == 0,
}


def read_hits(words: str) -> Callable[[int], bool]:
    """Return the test that tells whether the n-th hit counts.

    Raises:
        UsageError: it is no hit condition, or its number is 0.
    """
    shape = SHAPE.fullmatch(words)
    if shape is None or int(shape[2]) < 1:
        raise UsageError(f"`{words}` is not a hit condition", "write `3`, `==3`, `>3`, `>=3`, `<3`, `<=3` or `%3`")
    test, wanted = TESTS[shape[1] or ""], int(shape[2])
    return lambda hits: test(hits, wanted)
