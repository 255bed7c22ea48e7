"""The engine's server: every topic's requests on one connection."""

from dapwright.engines.dapserver import run
from dapwright.engines.jvm import breakpoints, launching, looking, monitors, reloading, running, tracing, valuing
from dapwright.engines.jvm.requests import REQUESTS
from dapwright.engines.jvm.session import Session

TOPICS = (breakpoints, launching, looking, monitors, reloading, running, tracing, valuing)
"""Imported for what they register."""


def serve(argv: list[str]) -> int:
    """Serve one client on standard input and output; no arguments are known."""
    return run(REQUESTS, Session)
