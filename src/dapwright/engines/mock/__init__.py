"""A debugger for a toy language: to try everything without a toolchain, and to misbehave on demand in tests."""
