"""Machine addresses where a function's name could stand: `*0x401136`, as gdb and LLDB write them."""

import re

ADDRESS = re.compile(r"\*\s*(0[xX][0-9a-fA-F]+)")


def address_of(function: str) -> str:
    """The address that is named instead of a function; "" where it is a function's name."""
    found = ADDRESS.fullmatch(function)
    return found[1].lower() if found else ""
