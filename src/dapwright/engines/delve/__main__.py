"""`python -m dapwright.engines.delve`: a debug adapter on standard input and output."""

import sys

from dapwright.engines.dapserver import run
from dapwright.engines.delve import tracing  # noqa: F401  (registers its request)
from dapwright.engines.delve.session import REQUESTS, Session


def main(argv: list[str]) -> int:
    """Serve one client; `argv` is not used."""
    return run(REQUESTS, Session)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
