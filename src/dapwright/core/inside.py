"""What a language can do by code of ours inside its programs; one whose programs take none has no `Inside`."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from dapwright.core.model import Host, Launch, Program


class Inside(Struct, frozen=True):
    """Pure functions that make the words by which the code is brought in and asked."""

    condition: Callable[[Mapping[str, Any], Host], str]
    """The condition by which it judges the breakpoints and probes of a line (core/probes.py)."""
    injection: Callable[[Host], str]
    """An expression that brings it into a program which was attached to."""
    trace: Callable[[Launch, Mapping[str, Any], Host], Program]
    """A launch without its engine, under a tracer that tells every call."""
    hang: Callable[[Host, int, str], str]
    """An expression that has a running program look at its own threads (port, nonce: where it tells)."""
