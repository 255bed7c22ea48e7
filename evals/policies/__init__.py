"""Fixed ways to look for a bug, each played over every program of the corpus.

Rule: no policy knows where the bug is. Each ends with the first answer that shows the betraying value,
which flatters all alike, or where it would give up.
"""

from collections.abc import Callable
from pathlib import Path

from mcp_client import Server

from bugs import Bug
from policies.evidence import evidence, probing, tracing
from policies.plain import plain
from policies.reading import Seen
from policies.stepping import into, over

Policy = Callable[[Server, Path, Bug, Seen], None]

POLICIES: dict[str, Policy] = {
    "plain": plain,
    "stepping into": into,
    "stepping over": over,
    "probing": probing,
    "tracing": tracing,
    "evidence": evidence,
}
"""By name, in the order in which they are played."""
