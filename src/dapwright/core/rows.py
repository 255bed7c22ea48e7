"""What was found out about one run of a program, whoever told it."""

from dataclasses import dataclass, field
from typing import Any

MOST_ROWS = 20_000
"""Rows kept of a run: a flood stays bounded."""


@dataclass(slots=True)
class Findings:
    """Rows of probes, and what a test runner reported."""

    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    dropped: int = 0
    tests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """One report of the runner after another, as it came."""
    reports: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Answers of code that we had run inside the program."""
    calls: list[list[Any]] = field(default_factory=list[list[Any]])
    """Events of a tracer (core/calls.py)."""
    calls_seen: int = 0
    calls_dropped: int = 0
    stopping: list[tuple[int, tuple[str, ...]]] = field(default_factory=list[tuple[int, tuple[str, ...]]])
    """(process, breakpoints) of stops that code inside the program asked for, until they come."""
    exceptions: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Uncaught exceptions, as stops told them."""

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row, numbered from 1; what is beyond the limit is counted alone."""
        if len(self.rows) >= MOST_ROWS:
            self.dropped += 1
            return
        row["n"] = len(self.rows) + 1
        self.rows.append(row)
