"""The entry of COBOL inside gdb's DAP server, loaded after gdb_plugin.py."""

import importlib
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

for part in ("frames", "requests", "stepping", "paragraphs", "stopping"):
    importlib.import_module("gdb_cobol." + part)
