"""The verbs an agent has, one topic a file; every function marked `@tool` in a module here is one.

The topics are read by `registry.load`, when a tool is first looked for: the list of tools is told
without them (`contract`).
"""

from dapwright.tools.about import About, Arm, Inline
from dapwright.tools.caller import Caller, InputRequired, Reply
from dapwright.tools.registry import Tool, UnknownTool, every, find, listed, tool

__all__ = [
    "About",
    "Arm",
    "Caller",
    "Inline",
    "InputRequired",
    "Reply",
    "Tool",
    "UnknownTool",
    "every",
    "find",
    "listed",
    "tool",
]
