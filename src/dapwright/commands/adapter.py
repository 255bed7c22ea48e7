"""Run one of our own debug engines as a debug adapter, on standard input and output."""

import argparse
import pkgutil
import sys
from importlib import import_module
from importlib.util import find_spec

from dapwright import engines


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the engine's name; the rest is the engine's own."""
    parser.add_argument("name", help="one of: " + ", ".join(names()))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="passed to the engine")


def run(arguments: argparse.Namespace) -> int:
    """Run the engine's `main` with its arguments; its result is the exit code."""
    if arguments.name not in names():
        print(f"dapwright: there is no engine `{arguments.name}`; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    module = f"{engines.__name__}.{arguments.name}"
    if find_spec(f"{module}.__main__") is not None:
        module += ".__main__"
    return int(import_module(module).main(arguments.arguments) or 0)


def names() -> list[str]:
    """The engines that are packages of ours."""
    return sorted(module.name for module in pkgutil.iter_modules(engines.__path__) if module.ispkg)
