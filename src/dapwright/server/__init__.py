"""How agents and people reach the tools."""
