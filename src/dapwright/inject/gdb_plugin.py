"""The entry of what we add to gdb's own DAP server: `gdb -q -nx -i dap -x gdb_plugin.py [PROGRAM]`.

It runs inside gdb's embedded Python (gdb 14 or newer, Python 3.8 or newer). The parts are
loaded one by one: a part that this gdb's internals do not fit is left out and told as an
output event, and gdb works as it comes.
"""

import importlib
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

PARTS = (
    "inferior",
    "calls",
    "values",
    "breakpoints",
    "watches",
    "failures",
    "forks",
    "looks",
    "stops",
    "history",
    "moves",
    "hangs",
    "writes",
    "tracing",
)

for part in PARTS:
    try:
        importlib.import_module("gdb_dap." + part)
    except Exception as error:
        sys.stdout.write("dapwright: `%s` does not fit this gdb: %r\n" % (part, error))
        sys.stdout.flush()
