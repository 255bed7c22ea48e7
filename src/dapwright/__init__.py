"""A debugger for coding agents: real debuggers through DAP, served through MCP, answering with evidence."""

__version__ = "0.1.0"
