"""The engine's process: the topics, and the server on standard input and output."""

import sys

from dapwright.engines.dapserver import Server, run
from dapwright.engines.node import (  # noqa: F401  (each registers its requests)
    attaching,
    breakpoints,
    evaluate,
    exceptions,
    frames,
    launching,
    reload,
    running,
    setting,
    tracing,
    variables,
)
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session


def main(argv: list[str]) -> int:
    """Serve one client; return the exit code."""
    if argv:
        print(f"the node engine takes no arguments, not `{' '.join(argv)}`", file=sys.stderr)
        return 2
    return run(REQUESTS, _begin)


def _begin(server: "Server[Session]") -> Session:
    import asyncio

    asyncio.get_running_loop().call_later(0.05, _warm)
    return Session(server)


def _warm() -> None:
    """Import what the launch needs while nobody waits."""

    import dapwright.engines.node.outline
    import dapwright.engines.node.sourcemap  # noqa: F401
