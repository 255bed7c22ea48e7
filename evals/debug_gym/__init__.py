"""Microsoft's debug-gym with and without dapwright's tools: a configuration for each arm."""
