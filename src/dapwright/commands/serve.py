"""Serve the debugger to an agent, over standard input and output."""

import argparse
import os
import secrets
import sys

from dapwright.core.errors import UsageError
from dapwright.core.secrets import marks
from dapwright.policy.settings import READERS, TOOLSETS, read_settings, variable

HELP = {
    "addressing": "how breakpoints are placed: content (default), assert or line",
    "redact": "hide what looks like a secret: 1 (default) or 0",
    "variables": "open (default), or explicit: values only by name",
    "gate": "always (default), after-failures[:N] or off",
    "roots": "the folders that may be debugged, separated as in PATH",
    "approve": "rules for command lines: `allow|ask|deny: pattern`, one a line",
    "trust": "workspace: take adapter commands from its own .dapwright.toml",
    "toolset": "the tool list: " + ", ".join(TOOLSETS),
    "languages": "only these languages",
    "timeout": "the limit of a debugger's answer, in milliseconds",
    "mirror_evaluate": "whether a mirrored IDE may evaluate: 1 (default) or 0",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each setting; it wins over the environment variable."""
    for name in READERS:
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, dest=name, metavar="VALUE", help=f"{HELP[name]} [{variable(name)}]")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the input ends."""
    flags = {name: getattr(arguments, name) for name in READERS}
    try:
        settings = read_settings(os.environ, flags, separator=os.pathsep)
    except UsageError as wrong:
        print(f"dapwright: {wrong}\n{wrong.hint}", file=sys.stderr)
        return 2
    if sys.stdin.isatty():
        print("dapwright: waiting for an MCP client on standard input; `dapwright --help` tells more", file=sys.stderr)
    marks.configure(salt=secrets.token_bytes(32), enabled=settings.redact)
    from dapwright.server.stdio import serve
    from dapwright.sessions import Sessions

    return serve(lambda: Sessions(settings), settings)
