"""The command `dapwright`: finds the subcommand and imports nothing of the others."""

import argparse
import gc
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from dapwright import __version__

COMMANDS = Path(__file__).with_name("commands")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    if argv and argv[0] in names():
        command = load(argv[0])
        if argv[0] != "serve":
            gc.enable()  # see __main__.py; the server does it when all is read
        parser = argparse.ArgumentParser(prog=f"dapwright {argv[0]}", description=command.__doc__)
        command.configure(parser)
        return int(command.run(parser.parse_args(argv[1:])))
    parser = overview()
    parser.parse_args(argv)
    parser.print_help(sys.stderr)
    return 2


def names() -> list[str]:
    """The subcommands: the files of `commands`."""
    return sorted(path.stem for path in COMMANDS.glob("*.py") if path.stem != "__init__")


def load(name: str) -> ModuleType:
    """The module of a subcommand."""
    return import_module(f"dapwright.commands.{name}")


def overview() -> argparse.ArgumentParser:
    """The parser that only lists the subcommands."""
    parser = argparse.ArgumentParser(
        prog="dapwright",
        description="A debugger for coding agents.",
        epilog="`dapwright COMMAND --help` tells more of one.",
    )
    parser.add_argument("--version", action="version", version=f"dapwright {__version__}")
    parser.add_argument("command", nargs="?", choices=names(), help="what to do: " + ", ".join(names()))
    return parser
