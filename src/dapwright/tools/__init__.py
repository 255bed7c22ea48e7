"""The verbs an agent has, one topic a file; every function marked `@tool` in a module here is one."""

import pkgutil
from importlib import import_module

from dapwright.tools.about import About, Arm, Inline
from dapwright.tools.answers import Answer, answer
from dapwright.tools.caller import Caller, InputRequired, Reply
from dapwright.tools.registry import ALL, Tool, UnknownTool, find, listed, tool

__all__ = [
    "ALL",
    "About",
    "Answer",
    "Arm",
    "Caller",
    "Inline",
    "InputRequired",
    "Reply",
    "Tool",
    "UnknownTool",
    "answer",
    "find",
    "listed",
    "load",
    "tool",
]

MACHINERY = frozenset(
    [
        "about",
        "answers",
        "arguments",
        "audit",
        "caller",
        "golden",
        "plain",
        "redaction",
        "reference",
        "registry",
        "schema",
        "text",
        "words",
        "stops",
        "launches",
        "attaching",
        "gating",
        "configurations",
        "targets",
    ],
)
"""The modules that hold no tools."""


def load() -> None:
    """Import every topic file, in the order of their names: that registers their tools."""
    for topic in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if topic not in MACHINERY:
            import_module(f"{__name__}.{topic}")


load()
