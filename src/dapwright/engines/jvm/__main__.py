"""`python -m dapwright.engines.jvm`."""

import sys

from dapwright.engines.jvm import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
