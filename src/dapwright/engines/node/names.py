"""Function breakpoints by name: where in the program's sources a function begins.

V8 can stop in a function object, but the object of `lineTotal` is there only once its module runs,
and then it may be called at once. So the sources are read before: the program's own file and what
it imports by relative paths, and every script as it is parsed.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dapwright.engines.node.ledger import Entry
from dapwright.engines.node.scripts import Script

if TYPE_CHECKING:
    from dapwright.engines.node.outline import Outline

_IMPORT = re.compile(r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])(\.{1,2}/[^'"]*|\.{1,2})\1""")
_ENDINGS = ("", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".mts", ".cts", "/index.js", "/index.ts")
_SWAPS = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
MOST = 2000
LARGEST = 4 << 20


class Names:
    """The outlines of the sources known so far."""

    def __init__(self) -> None:
        self._outlines: dict[str, Outline] = {}
        self._seen: set[str] = set()

    def explore(self, start: str) -> None:
        """Read a program's file and what it imports from its own project."""
        waiting = [start]
        while waiting and len(self._outlines) < MOST:
            path = waiting.pop(0)
            text = self._read(path)
            if text is not None:
                waiting += _imports(path, text)

    def learn(self, script: Script, entries: list[Entry]) -> bool:
        """Read a script that V8 has parsed (or its sources); return whether it holds a wanted name."""
        for path in [p for p in script.sources("") if p] or [script.path]:
            self._read(path)
        return self.resolve(entries)

    def resolve(self, entries: list[Entry]) -> bool:
        """Fill in the places of function breakpoints; return whether any is new."""
        changed = False
        for entry in entries:
            if not entry.function:
                continue
            for path, found in self._outlines.items():
                for function in found.named(entry.function):
                    place = (path, function.line, function.column)
                    if place not in entry.places and (not entry.path or path == entry.path):
                        entry.places.append(place)
                        changed = True
        return changed

    def _read(self, path: str) -> str | None:
        """Read and outline a file; None where it was read before, or cannot be."""
        if not path or path in self._seen:
            return None
        self._seen.add(path)
        file = Path(path)
        try:
            if file.stat().st_size > LARGEST:
                return None
            text = file.read_text(errors="replace")
        except OSError:
            return None
        from dapwright.engines.node.outline import outline  # late: the engine starts without it

        self._outlines[path] = outline(text)
        return text


def _imports(path: str, text: str) -> Iterator[str]:
    """The files that a source names by relative paths, whatever their ending."""
    for found in _IMPORT.finditer(text):
        target = Path(path).parent / found[2]
        candidates = [target.with_suffix(s) for s in _SWAPS.get(target.suffix, ())]
        for candidate in [*(Path(f"{target}{e}") for e in _ENDINGS), *candidates]:
            if candidate.is_file():
                yield str(candidate.resolve())
                break
