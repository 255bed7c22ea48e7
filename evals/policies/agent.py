"""A command of somebody who has an agent: its output read."""

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from mcp_client import Server

from bugs import Bug
from policies.reading import Seen

SECONDS = 600


def agent(command: str) -> Callable[[Server, Path, Bug, Seen], None]:
    """A policy that runs a command; `{folder}` and `{test}` in it are filled in. All of its output counts as one call."""

    def played(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
        words = [word.replace("{folder}", str(folder)).replace("{test}", bug.test) for word in shlex.split(command)]
        ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
        seen.read(ran.stdout + ran.stderr)

    return played
