"""Trust a workspace's own .dapwright.toml as it is: its adapter commands, and its rules that allow."""

import argparse
import os
import sys

from dapwright import trust
from dapwright.core.errors import DapwrightError
from dapwright.policy.approval import read_rules


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the folder, and the word that takes trust away."""
    parser.add_argument("folder", nargs="?", default=os.getcwd(), help="the workspace; this folder by default")
    parser.add_argument("--forget", action="store_true", help="trust it no more")


def run(arguments: argparse.Namespace) -> int:
    """Show what is trusted, and record it."""
    if arguments.forget:
        known = trust.forget(arguments.folder)
        print(f"`{arguments.folder}` is trusted no more" if known else f"`{arguments.folder}` was not trusted")
        return 0
    try:
        text = trust.read(arguments.folder)
        if not text:
            print(f"dapwright: `{arguments.folder}` has no `{trust.NAME}`: nothing to trust", file=sys.stderr)
            return 1
        read_rules(text)
    except DapwrightError as wrong:
        print(f"dapwright: {wrong}", file=sys.stderr)
        return 1
    trust.record(arguments.folder, text)
    print(f"{text.rstrip()}\n\ntrusted, until the file changes; `dapwright trust --forget` takes it back")
    return 0
