"""As much of the JVM's bytecode as breakpoints need: where straight flow of control breaks off.

javac writes a `finally` block several times, and the line table then has the line several
times in one method. Each copy needs a breakpoint of its own; a call spread over lines comes
back to its first line too, and must not stop twice. The two are told apart by this: between
copies the flow breaks off (return, throw, goto).
"""

from collections.abc import Sequence

BREAKS = {167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 191, 200, 201}
"""goto, jsr, ret, the switches, the returns, athrow, goto_w, jsr_w."""
RETURNS = range(172, 178)
WIDTHS = (
    {16: 2, 17: 3, 18: 2, 19: 3, 20: 3, 132: 3, 185: 5, 186: 5, 188: 2, 197: 4, 200: 5, 201: 5, 169: 2}
    | dict.fromkeys(range(21, 26), 2)
    | dict.fromkeys(range(54, 59), 2)
    | dict.fromkeys(range(153, 169), 3)
    | dict.fromkeys(range(178, 185), 3)
    | {187: 3, 189: 3, 192: 3, 193: 3, 198: 3, 199: 3}
)
"""Bytes of an instruction, where not one (JVM specification, chapter 6)."""


def _width(code: bytes, at: int) -> int:
    operation = code[at]
    if operation == 196:  # wide
        return 6 if code[at + 1] == 132 else 4
    if operation not in (170, 171):
        return WIDTHS.get(operation, 1)
    start = at + 4 - at % 4

    def word(offset: int) -> int:
        return int.from_bytes(code[start + offset : start + offset + 4], "big", signed=True)

    if operation == 170:
        return start - at + 12 + 4 * (word(8) - word(4) + 1)
    return start - at + 8 + 8 * word(4)


def breaks(code: bytes) -> list[int]:
    """Return where in `code` straight flow breaks off, ascending; malformed code gives what was read of it."""
    found, at = [], 0
    while at < len(code) - 1:
        if code[at] in BREAKS:
            found.append(at)
        width = _width(code, at) if at + 1 < len(code) else 1
        if width <= 0:
            break
        at += width
    if at == len(code) - 1 and code[at] in BREAKS:
        found.append(at)
    return found


def returns(code: bytes) -> list[int]:
    """Return where in `code` the method returns, ascending."""
    return [at for at in breaks(code) if code[at] in RETURNS]


def copies(indices: Sequence[int], code: bytes) -> list[int]:
    """Return those of a line's code `indices` that begin a copy of the line of its own."""
    ends = breaks(code)
    kept: list[int] = []
    for index in sorted(indices):
        if not kept or any(kept[-1] <= end < index for end in ends):
            kept.append(index)
    return kept
