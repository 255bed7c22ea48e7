"""The server itself, for tests that start a script."""

import runpy
import sys

sys.argv = ["dapwright", "serve"]
runpy.run_module("dapwright", run_name="__main__")
