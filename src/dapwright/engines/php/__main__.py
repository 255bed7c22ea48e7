"""The PHP engine as a process: a debug adapter on standard input and output."""

import sys

from dapwright.engines.dapserver import run
from dapwright.engines.php import breaking, looking, running, starting  # noqa: F401  (each registers its requests)
from dapwright.engines.php.session import REQUESTS, Session


def main(argv: list[str]) -> int:
    """Serve one client; `argv` is not used."""
    return run(REQUESTS, Session)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
