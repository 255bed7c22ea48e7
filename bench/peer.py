"""Fetch the peer that we measure ourselves against into bench/peer, which git ignores.

The peer is the best known debug server for agents, `@debugmcp/mcp-debugger`, on the Node that it asks for.
"""

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "peer"
PACKAGES = ("@debugmcp/mcp-debugger@0.24.2", "node@22")
MODULES = FOLDER / "node_modules"
NODE = MODULES / "node" / "bin" / "node"
SERVER = MODULES / "@debugmcp" / "mcp-debugger" / "dist" / "cli.mjs"
STAMP = FOLDER / ".installed"


def install() -> list[str]:
    """Install the peer, unless it is there; return the command that starts it on stdio.

    Raises:
        SystemExit: npm is not here, or the packages could not be had.
    """
    if not STAMP.is_file() or STAMP.read_text() != " ".join(PACKAGES):
        npm = shutil.which("npm") or sys.exit("bench: the peer comes by `npm`, which is not here")
        FOLDER.mkdir(exist_ok=True)
        flags = ["--no-audit", "--no-fund", "--no-package-lock", "--no-save", "--loglevel=error", "--prefix", FOLDER]
        subprocess.run([npm, "install", *flags, *PACKAGES], check=True, stdin=subprocess.DEVNULL, timeout=600)
        STAMP.write_text(" ".join(PACKAGES))
    return [str(NODE), str(SERVER), "stdio"]


if __name__ == "__main__":
    print(" ".join(install()))
