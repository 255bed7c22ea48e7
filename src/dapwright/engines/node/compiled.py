"""Compiled files on disk, found before they run: which sources each was made from.

A breakpoint in a source can then be set before its compiled file is loaded, which V8 offers for
ES modules in no other way.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from dapwright.engines.node.scripts import Script, map_beside

AVOIDED = {"node_modules", ".git", ".hg", ".venv", "__pycache__", ".cache", "coverage"}
CODE = (".js", ".mjs", ".cjs")
MOST = 4000
"""Entries of folders looked at: beyond that a project's compiled files are found as they load."""


class Compiled:
    """The compiled files of the folders scanned so far."""

    def __init__(self) -> None:
        self.scripts: list[Script] = []
        self._scanned: set[str] = set()

    def scan(self, folder: str) -> None:
        """Look through a project for compiled files with a map; each folder once."""
        if not folder or folder in self._scanned or folder == "/":
            return
        self._scanned.add(folder)
        known = {s.path for s in self.scripts}
        for path in _walk(folder):
            if str(path) in known:
                continue
            try:
                map_url = map_beside(path)
            except OSError:
                continue
            if map_url:
                real = str(path.resolve())
                self.scripts.append(Script(f"disk:{real}", f"file://{quote(real)}", real, map_url, False))


def project(path: str) -> str:
    """Return the folder of the project that a file belongs to: the nearest with a package.json or tsconfig.json."""
    start = Path(path).parent
    for folder in (start, *start.parents):
        if (folder / "package.json").is_file() or (folder / "tsconfig.json").is_file():
            return str(folder)
    return str(start)


def _walk(folder: str) -> Iterator[Path]:
    """The scripts below a folder, at most `MOST` entries deep and wide; links are not followed."""
    left, waiting = MOST, [folder]
    while waiting and left > 0:
        try:
            entries = list(os.scandir(waiting.pop(0)))
        except OSError:
            continue
        for entry in entries[:left]:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in AVOIDED:
                    waiting.append(entry.path)
            elif entry.name.endswith(CODE):
                yield Path(entry.path)
        left -= len(entries)
