"""Tell the gate of failures that a harness saw, or show what it knows of a workspace."""

import argparse
import os

import msgspec

from dapwright.failures import Gate
from dapwright.policy.settings import read_settings

KINDS = ("test", "tool-error", "check", "review")


def configure(parser: argparse.ArgumentParser) -> None:
    """Take what to do, and what happened."""
    parser.add_argument("act", choices=("record", "show"), help="record a failure (or a pass), or show what is known")
    parser.add_argument("--kind", choices=KINDS, default="test", help="what failed")
    parser.add_argument("--name", default="", help="which: a test's id, a command")
    parser.add_argument("--passed", action="store_true", help="it is well now: its failures are stale")
    parser.add_argument("--workspace", default=os.getcwd(), metavar="FOLDER", help="this folder by default")


def run(arguments: argparse.Namespace) -> int:
    """Change or print the workspace's state."""
    gate = Gate(read_settings(os.environ, separator=os.pathsep), arguments.workspace)
    name = arguments.name or arguments.kind
    if arguments.act == "show":
        print(msgspec.json.format(msgspec.json.encode(gate.read()), indent=2).decode())
    elif arguments.passed:
        gate.passed(name)
    else:
        gate.failed(arguments.kind, name)
    return 0
