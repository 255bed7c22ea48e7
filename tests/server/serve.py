"""The product itself, as a script: `dapwright serve`."""

import sys

from dapwright.cli import main

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
