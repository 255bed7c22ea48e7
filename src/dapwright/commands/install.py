"""Add the server to the agents that are here, with its skill; shows what it would write before it does."""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from dapwright.agents.changes import Change, changes, write
from dapwright.agents.clients import CLIENTS, Client, Places


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the agents, the workspace, and how far to go."""
    known = ", ".join(CLIENTS)
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=f"{known}; those found here by default")
    parser.add_argument("--workspace", metavar="FOLDER", default=os.getcwd(), help="this folder by default")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be written")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.add_argument("--update", action="store_true", help="write the skill's files anew where they differ")


def run(arguments: argparse.Namespace) -> int:
    """Show the changes, ask, and make them; 0 where nothing is left for the person to do."""
    if unknown := [name for name in arguments.agents if name not in CLIENTS]:
        print(f"dapwright: there is no agent `{unknown[0]}`; there are: {', '.join(CLIENTS)}", file=sys.stderr)
        return 2
    where = places(Path(arguments.workspace))
    chosen = [CLIENTS[name] for name in arguments.agents] or [one for one in CLIENTS.values() if one.is_here(where)]
    if not chosen:
        print(f"dapwright: no agent was found here; name one: {', '.join(CLIENTS)}", file=sys.stderr)
        return 1
    planned = [change for one in chosen for change in shown(one, where, update=arguments.update)]
    wanted = [change for change in planned if change.act == "write"]
    left = any(change.act == "keep" for change in planned)
    if not wanted:
        print("\nnothing to write")
        return int(left)
    if arguments.dry_run:
        print(f"\n{len(wanted)} files would be written; nothing was (`--dry-run`)")
        return 0
    if not arguments.yes and not agreed(len(wanted)):
        print("nothing was written")
        return 1
    return int(not made(wanted) or left)


def places(workspace: Path) -> Places:
    """The folders of this person and this workspace."""
    home = Path.home()
    return Places(workspace.resolve(), home, Path(os.environ.get("CODEX_HOME") or home / ".codex"))


def command() -> list[str]:
    """The command line that starts the server: our own script by its whole path, else our interpreter."""
    beside = shutil.which("dapwright", path=str(Path(sys.executable).parent))
    return [beside, "serve"] if beside else [sys.executable, "-m", "dapwright", "serve"]


def shown(client: Client, where: Places, *, update: bool) -> Sequence[Change]:
    """Print what would become of each file, and return it."""
    found = list(changes(client, where, command(), update=update))
    print(f"\n{client.title}")
    for change in found:
        match change.act:
            case "same":
                print(f"  {change.path}: as it should be")
            case "keep":
                print(f"  {change.path}: kept as it is: {change.note}")
            case _ if change.path.suffix == ".md":
                print(f"  {change.path}: {'changed' if change.before else 'new'}, {len(change.after)} characters")
            case _:
                print(f"  {change.path}: {'changed' if change.before else 'new'}\n{change.shown()}", end="")
    return found


def agreed(count: int) -> bool:
    """Ask the person; without a terminal nobody agreed."""
    if not sys.stdin.isatty():
        print(f"\n{count} files would be written; there is nobody to ask: add `--yes`")
        return False
    return input(f"\nwrite {count} files? [y/N] ").strip().lower() in ("y", "yes")


def made(wanted: Sequence[Change]) -> bool:
    """Write each file; a failure is told and the others are still written."""
    well = True
    for change in wanted:
        try:
            write(change)
            print(f"wrote {change.path}")
        except OSError as wrong:
            well = False
            print(f"dapwright: could not write {change.path}: {wrong}", file=sys.stderr)
    return well
