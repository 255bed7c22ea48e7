"""`dapwright demo`: an agent's session against the real server, printed so that a person follows it."""

from dapwright.demo.play import main

__all__ = ["main"]
