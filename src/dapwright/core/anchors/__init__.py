"""Addresses by content: (a file's structure, what was asked) -> a line, or a refusal that is its own remedy."""

from dapwright.core.anchors.columns import column
from dapwright.core.anchors.moves import end, later, move, shifted
from dapwright.core.anchors.relocation import Relocation, Surroundings, relocate, says, surroundings
from dapwright.core.anchors.resolution import Resolution, check_line, functions, resolve

__all__ = [
    "Relocation",
    "Resolution",
    "Surroundings",
    "check_line",
    "column",
    "end",
    "functions",
    "later",
    "move",
    "relocate",
    "resolve",
    "says",
    "shifted",
    "surroundings",
]
