"""How Delve is asked for values: what it wants written otherwise, and what it cuts."""

import re

from dapwright.adapters._go_waits import standard
from dapwright.core.adapter import Rephrased, Whole
from dapwright.core.model import Frame


def rephrase(expression: str, failure: str) -> Rephrased | None:
    """Delve calls functions and assigns only where it is told to: `call f(x)`, `call x = 1` (1.20 to 1.27)."""
    if "without using 'call'" in failure:
        return Rephrased(f"call {expression}")
    if "found '='" in failure:
        return Rephrased(f"call {expression}", changed=expression.partition("=")[0].strip())
    return None


WHOLE = Whole(re.compile(r"\.\.\.\+\d+ more"), "dlv config maxStringLen 8388608", "dlv config maxStringLen 0")
"""Delve shows 512 bytes of a string, 4,096 of one that is asked for, or that is longer than its setting allows.

The setting is there since 1.27 at the latest; what an answer may hold is cut by us, and the cut told.
"""


BEGINS = "WARNING: DATA RACE\n"
RACE = re.compile(rf"^{BEGINS}(.*?)^={{10,}}\n", re.M | re.S)
ACCESS = re.compile(r"^((?:Previous )?\w+(?: \w+)?) at \S+ by (.+):\n((?:  .+\n)+)", re.M)
PLACE = re.compile(r"^\s+(\S+)\(.*\)\n\s+(.+):(\d+)", re.M)
MOST_RACES = 5


def reports(output: str) -> tuple[list[str], int]:
    """The data races that the detector (`-race`) told, each pair of places once, and how far they were read.

    A place is the program's own: a map's or a copy's is a function of the runtime, below which its caller stands.
    """
    told: dict[str, str] = {}
    end = 0
    for report in RACE.finditer(output):
        end = report.end()
        accesses = [(what.lower(), who, *_place(stack)) for what, who, stack in ACCESS.findall(report[1])]
        if accesses:
            key = "".join(f"{what}{where}" for what, _, where, _ in accesses)
            rows = [f"{what} at {where} ({function}) by {who}" for what, who, where, function in accesses]
            told.setdefault(key, "data race: " + ", ".join(rows))
    races = list(told.values())
    if len(races) > MOST_RACES:
        races[MOST_RACES:] = [f"{len(races) - MOST_RACES} more data races: get_output has them"]
    begun = output.find(BEGINS, end)
    return races, begun if begun >= 0 else output.rfind("\n") + 1


def _place(stack: str) -> tuple[str, str]:
    """(file and line, function) of the first frame that does not come with Go."""
    frames = [
        (f"{file}:{line}", function, Frame(0, function, file, int(line)))
        for function, file, line in PLACE.findall(stack)
    ]
    where, function, _ = next(
        (one for one in frames if not standard(one[2])), frames[0] if frames else ("?", "?", None)
    )
    return where, function
