"""The server itself, for tests that start a script."""

import runpy
import sys

sys.argv = ["dapwright", "serve", *sys.argv[1:]]
runpy.run_module("dapwright", run_name="__main__")
