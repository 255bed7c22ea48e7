"""Run the test, and read what the runner says."""

import subprocess
import sys
from pathlib import Path

from mcp_client import Server

from bugs import Bug
from policies.reading import Seen

SECONDS = 60
QUIET = ("-q", "-p", "no:cacheprovider")


def plain(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
    """One run."""
    argv = [sys.executable, "-m", "pytest", *QUIET, bug.test]
    ran = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    seen.read(ran.stdout + ran.stderr)
