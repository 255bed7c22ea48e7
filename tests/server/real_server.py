"""The product itself on a pipe: `python real_server.py [flags of serve]`."""

import sys

from dapwright.cli import main

if __name__ == "__main__":
    raise SystemExit(main(["serve", *sys.argv[1:]]))
