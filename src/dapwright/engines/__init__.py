"""Debuggers of our own, each a package that speaks DAP on stdio: `dapwright adapter NAME`."""
