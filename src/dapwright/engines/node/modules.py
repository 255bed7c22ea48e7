"""Whether a program will load ES modules, told by its first file.

What their top level throws looks caught to V8, so it has to stop for every throw while they run. It tells of a module
only as it parses it, and asks for nothing before it runs it: a small program has failed before our word arrives.
"""

import re
from pathlib import Path
from urllib.parse import unquote

MODULES = frozenset({".mjs", ".mts", ".ts", ".tsx", ".jsx"})
"""Names of modules, and of what tsx hands to the loader of modules whatever it is."""
LOADS = re.compile(rb"\b(import|export)\b")
TYPE = re.compile(rb'"type"\s*:\s*"module"')
LARGEST = 8_000_000
"""Bytes beyond which a file is not read: such a bundle may load anything."""


def may_load(first: str) -> bool:
    """Tell whether a program whose first file is at a path, or a `file:` URL, may load ES modules."""
    file = Path(unquote(first.removeprefix("file://")) if first.startswith("file://") else first)
    if file.suffix in MODULES:
        return True
    try:
        if file.stat().st_size > LARGEST or LOADS.search(file.read_bytes()):
            return True
        described = next((each / "package.json" for each in file.parents if (each / "package.json").is_file()), None)
        return file.suffix != ".cjs" and described is not None and TYPE.search(described.read_bytes()) is not None
    except OSError:
        return False  # a command of its own (`-e`), or a file of another machine
