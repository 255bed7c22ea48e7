"""A signal's death behind an engine that tells it as a bare number (LLDB's `exited` says 11 for both).

A program that stood at a signal which it neither catches nor ignores, and ended with that
signal's number, was ended by it. Whether it does is read where it stands, in Linux's
`/proc/PID/status`; where that cannot be, the number stays what the engine said.
"""

import re
import signal

from dapwright.core.model import Host

STOPPED_BY = re.compile(r"signal (SIG[A-Z0-9]+)")
LAUNCHED = re.compile(r"Launched process (\d+)")
"""How CodeLLDB tells the process of its program, which sends no `process` event."""
MASKS = re.compile(r"^Sig(?:Ign|Cgt):\s*([0-9a-fA-F]+)$", re.M)


def fatal(host: Host, process: int | None, description: str) -> int:
    """The number of the signal that a program stands at and cannot survive; 0 where it stands at none."""
    found = STOPPED_BY.match(description)
    if found is None or process is None or found[1] not in signal.Signals.__members__:
        return 0
    number = int(signal.Signals[found[1]])
    masks = MASKS.findall(host.read(f"/proc/{process}/status"))
    if len(masks) != 2 or any(int(mask, 16) >> (number - 1) & 1 for mask in masks):
        return 0
    return number
