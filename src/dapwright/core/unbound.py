"""Engines' words for a breakpoint that they have not bound, as what an agent can act on."""

import re

WORDS = (
    (re.compile(r'Function "-source .*" not defined'), "no code is there, nor below it in the same function"),
    (re.compile(r"No source file named"), "the program was not built of this file"),
    (re.compile(r"No compiled code for line"), "no code is there, nor below it in the same function"),
    (re.compile(r"could not find file "), "the program was not built of this file"),
    (
        re.compile(r"could not find statement at "),
        "no code is there in the program as it was built: what is never called is left out",
    ),
    (re.compile(r"Breakpoint in file excluded by filters"), "this is library code, which `justMyCode` leaves out"),
)
"""GDB 13 to 18, Delve 1.27, debugpy 1.8.22."""
UNLOADED = "the program did not load this file"
WAITING = {
    UNLOADED: UNLOADED,
    "no script with this line is loaded yet": "no process that was debugged loaded this file",
    "bound when PHP loads the file": "PHP never loaded this file",
    "no class that is loaded has it yet": "no class that was loaded has code of this file",
}
"""What our own engines say as long as more may be loaded, and what that means at the end."""


def explain(message: str) -> str:
    """Return an engine's words, in ours where they are known."""
    return next((ours for theirs, ours in WORDS if theirs.match(message)), message)
