"""One thing that was checked."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it stands, and what to do where it is not well.

    `info` is what may be missing without harm to the rest.
    """

    name: str
    state: Literal["ok", "missing", "broken", "info"]
    told: str
    remedy: str = ""
