"""How Delve is asked for values: what it wants written otherwise, and what it cuts."""

import re

from dapwright.core.adapter import Rephrased, Whole


def rephrase(expression: str, failure: str) -> Rephrased | None:
    """Delve calls functions and assigns only where it is told to: `call f(x)`, `call x = 1` (1.20 to 1.27)."""
    if "without using 'call'" in failure:
        return Rephrased(f"call {expression}")
    if "found '='" in failure:
        return Rephrased(f"call {expression}", changed=expression.partition("=")[0].strip())
    return None


WHOLE = Whole(re.compile(r"\.\.\.\+\d+ more"), "dlv config maxStringLen 131072", "dlv config maxStringLen 0")
"""Delve shows 512 bytes of a string, 4,096 of one that is asked for; the setting is there since 1.27 at the latest."""


RACE = re.compile(r"^WARNING: DATA RACE\n(.*?)^={10,}$", re.M | re.S)
ACCESS = re.compile(r"^((?:Previous )?\w+) at \S+ by (.+):\n\s+(\S+)\(.*\)\n\s+(\S+:\d+)", re.M)


def reports(output: str) -> list[str]:
    """The data races that the detector (`-race`) told, each with its two places."""
    told = []
    for report in RACE.findall("\n".join(line.removeprefix("stderr: ") for line in output.splitlines())):
        accesses = [
            f"{what.lower()} at {where} ({function}) by {who}" for what, who, function, where in ACCESS.findall(report)
        ]
        if accesses:
            told.append("data race: " + ", ".join(accesses))
    return told
