"""Install what a language needs to be debugged here, from its ordinary registry; asks before it does."""

import argparse
import asyncio
import os
import shlex
import subprocess
import sys

from dapwright import adapters
from dapwright.approvals import Approvals
from dapwright.checkup.finding import Finding
from dapwright.core import parts
from dapwright.core.adapter import Adapter
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.policy.permit import Request
from dapwright.toolchains import SECONDS, Toolchains


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the languages, and how far to go."""
    parser.add_argument("languages", nargs="+", metavar="LANGUAGE", help="what is to be debugged: go, rust, php, ...")
    parser.add_argument("--yes", action="store_true", help="install without asking, for scripts")
    parser.add_argument("--dry-run", action="store_true", help="only show the commands")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, metavar="N", help=f"the limit of each command ({SECONDS:.0f})"
    )


def run(arguments: argparse.Namespace) -> int:
    """Install for each language what it lacks; 0 where all can be debugged afterwards."""
    try:
        chosen = [adapters.find(name) for name in arguments.languages]
        return max([set_up(adapter, arguments) for adapter in chosen])
    except UsageError as wrong:
        print(f"dapwright: {wrong}\n{wrong.hint}", file=sys.stderr)
        return 2


def set_up(adapter: Adapter, arguments: argparse.Namespace) -> int:
    """Show what one language lacks and the commands that bring it, ask, run them, and check again."""
    from dapwright.commands.doctor import tell
    from dapwright.host import machine

    toolchains = Toolchains(_approvals(), machine())
    try:
        lacking = asyncio.run(toolchains.lacking(adapter))
        wanted = toolchains.requests(lacking)
        toolchains.judge(wanted)
    except DapwrightError as failure:
        print(f"dapwright: {failure}\n{failure.hint}", file=sys.stderr)
        return 1
    if not lacking and not adapter.check(machine()):
        return 1 - tell(adapter.display_name, [_found(adapter)])
    if not wanted:
        known = parts.told(*lacking) or adapter.setup
        print(f"dapwright: no registry here has what {adapter.display_name} needs: {known}", file=sys.stderr)
        return 1
    print(f"\n{adapter.display_name} needs {' and '.join(one.name for one in lacking)}; this would run:")
    for part in lacking:
        if part.why:
            print(f"  ({part.why})")
    for request in wanted:
        print(f"  {shlex.join(request.argv)}")
    if arguments.dry_run:
        print("nothing was run (`--dry-run`)")
        return 0
    if not arguments.yes and not agreed():
        print("nothing was installed")
        return 1
    if not all(ran(request, arguments.seconds) for request in wanted):
        return 1
    return 1 - tell(adapter.display_name, [_found(adapter)])


def _approvals() -> Approvals:
    from dapwright.policy.settings import read_settings

    return Approvals(read_settings(os.environ, separator=os.pathsep), os.getcwd())


def _found(adapter: Adapter) -> Finding:
    from dapwright.checkup.languages import language
    from dapwright.host import machine

    return language(adapter, machine())


def agreed() -> bool:
    """Ask the person; without a terminal nobody agreed."""
    if not sys.stdin.isatty():
        print("there is nobody to ask: add `--yes`")
        return False
    return input("run it? [y/N] ").strip().lower() in ("y", "yes")


def ran(request: Request, seconds: float) -> bool:
    """Run one command on this terminal, so that its output is seen and `sudo` can ask; a failure is told."""
    print(f"\n$ {shlex.join(request.argv)}", flush=True)
    try:
        code = subprocess.run(request.argv, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        print(f"dapwright: it did not end within {seconds:g} s and was killed", file=sys.stderr)
        return False
    except OSError as wrong:
        print(f"dapwright: it could not be started: {wrong}", file=sys.stderr)
        return False
    if code != 0:
        print(f"dapwright: it failed with exit code {code}", file=sys.stderr)
    return code == 0
