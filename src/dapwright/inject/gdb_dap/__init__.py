"""Additions to gdb's own DAP server, loaded by `gdb_plugin.py` inside gdb."""
