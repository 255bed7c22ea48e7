"""Tell what works here: the machine, the server itself, and each language with what it lacks."""

import argparse
import sys
from collections.abc import Iterable

from dapwright import adapters
from dapwright.checkup.finding import Finding
from dapwright.core.errors import UsageError

MARKS = {"ok": "ok     ", "missing": "missing", "broken": "BROKEN ", "info": "note   "}
COLOURS = {"ok": "green", "missing": "yellow", "broken": "bold red", "info": "cyan"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the languages that must be well."""
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="only these, and fail where one is missing")


def run(arguments: argparse.Namespace) -> int:
    """Check and tell; 0 where all is well that must be: the machine, the server, and the languages named."""
    from dapwright.checkup import machine, trial
    from dapwright.checkup.languages import language
    from dapwright.host import machine as here

    try:
        chosen = [adapters.find(name) for name in arguments.languages]
    except UsageError as wrong:
        print(f"dapwright: {wrong}\n{wrong.hint}", file=sys.stderr)
        return 2
    well = tell("This machine", machine.checks(here()))
    well &= tell("The server", trial.trial())
    every = chosen or [one for one in adapters.every().values() if one.language != "mock"]
    found = [language(adapter, here()) for adapter in every]
    launchable = tell("Languages", found, quiet=not chosen)
    if not chosen:
        print(f"\n{sum(one.state == 'ok' for one in found)} of {len(found)} languages can be launched here")
    return 0 if well and (launchable or not chosen) else 1


def tell(title: str, findings: Iterable[Finding], *, quiet: bool = False) -> bool:
    """Print each as it comes, in colours where rich is installed; return whether all is well.

    `quiet` takes what is missing for no fault.
    """
    print(f"\n{title}")
    well = True
    for one in findings:
        well &= one.state in ("ok", "info") or (quiet and one.state == "missing")
        print(f"  {painted(one.state)}  {one.name:<13} {one.told}")
        if one.remedy:
            print(f"  {'':<24}-> {one.remedy}")
    return well


def painted(state: str) -> str:
    """The state's word, coloured for a terminal where rich can do it."""
    if not sys.stdout.isatty():
        return MARKS[state]
    try:
        from rich.style import Style
    except ImportError:
        return MARKS[state]
    return Style.parse(COLOURS[state]).render(MARKS[state])
