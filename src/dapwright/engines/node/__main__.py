"""`python -m dapwright.engines.node`."""

import sys

from dapwright.engines.node import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
