"""Serve the debugger to an agent, over standard input and output."""

import argparse
import os
import sys

from dapwright.core.errors import UsageError
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
    _import_asyncio_without_tls()
    from dapwright.server.stdio import serve
    from dapwright.sessions import Sessions

    return serve(lambda: Sessions(settings), settings)


def _import_asyncio_without_tls() -> None:
    """Import asyncio as on an interpreter without `ssl`, which it allows for: a tenth of the start is saved.

    Nothing on stdio speaks TLS; whoever imports `ssl` afterwards gets it.
    """
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules["ssl"]
