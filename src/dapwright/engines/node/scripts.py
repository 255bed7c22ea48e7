"""The scripts of one target: which file each is, and where its lines came from.

A script's address is a file URL that Node encodes in its own ways (CommonJS and ES modules
differ, and neither is Python's), so addresses are compared unquoted and asked for by patterns.
"""

import re
from binascii import a2b_base64 as b64decode
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote as percent
from urllib.parse import unquote, unquote_to_bytes, urlsplit

import msgspec

if TYPE_CHECKING:
    from dapwright.engines.node import sourcemap

PRELOAD = str(Path(__file__).with_name("preload.cjs"))
"""Ours, in every process of the program: nobody's to see."""
_LITERAL = re.compile(r"[A-Za-z0-9/_.-]")
_ANCHOR = re.compile(rb"//[#@]\s*sourceMappingURL=([^\s'\"]+)\s*$")


def pattern(path: str, *, web: bool = False) -> str:
    """Return a regular expression for every way a file URL can spell `path` (a query may follow: tsx, vite).

    With `web`, the path is one of a page's server.
    """
    parts = []
    for character in path:
        if _LITERAL.match(character):
            parts.append(re.escape(character))
        else:
            coded = "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
            parts.append(f"(?:{re.escape(character)}|{coded}|{coded.lower()})")
    host = "https?://[^/]+/" if web else "(?:file://)?"
    return f"^{host}{''.join(parts)}(?:\\?.*)?$"


def path_of(url: str) -> str:
    """Return the file of a script's address; "" for `node:fs`, `evalmachine`, pages."""
    if url.startswith("file://"):
        return unquote(urlsplit(url).path)
    return url.split("?")[0] if url.startswith("/") else ""


class Position(NamedTuple):
    """A place as a person sees it: a file ("" where there is none), line and column 0-based."""

    path: str
    line: int
    column: int
    name: str = ""


class Script(msgspec.Struct):
    """A script that V8 has parsed."""

    id: str
    url: str
    path: str
    map_url: str
    is_module: bool
    end_line: int = 0
    context: int = 0
    _map: "sourcemap.SourceMap | None" = None
    _read: bool = False
    _paths: list[str] | None = None

    @property
    def is_internal(self) -> bool:
        """Node's own code."""
        return self.url.startswith("node:") or not (self.path or self.url) or self.path == PRELOAD

    def map(self) -> "sourcemap.SourceMap | None":
        """Return the script's source map, read when first asked; None where it has none that can be read."""
        if not self._read:
            self._read = True
            self._map = _load(self.url, self.map_url) if self.map_url else None
        return self._map

    def sources(self, folder: str) -> list[str]:
        """Return the files this script was made from, "" for those that are none."""
        if self._paths is None:
            found = self.map()
            base = _base(self.path, self.map_url)
            from dapwright.engines.node import sourcemap  # late: only what has a map needs it

            named = found.sources if found else []
            self._paths = [_existing(sourcemap.source_path(s, base, folder), s, folder) for s in named]
            self._paths = [str(Path(p).resolve()) if p else "" for p in self._paths]
        return self._paths

    def original(self, line: int, column: int, folder: str) -> Position | None:
        """Return where generated code came from; None where this script has no map, or it maps to nothing."""
        found = self.map()
        place = found.original(line, column) if found else None
        if place is None or place.source >= len(self.sources(folder)):
            return None
        return Position(self.sources(folder)[place.source], place.line, place.column, place.name)

    def content(self, path: str, folder: str) -> str | None:
        """Return the text of one of its sources as the map carries it."""
        found = self.map()
        if not found or path not in self.sources(folder):
            return None
        at = self.sources(folder).index(path)
        return found.contents[at] if at < len(found.contents) else None


def _existing(path: str, named: str, folder: str) -> str:
    """A source that is not where the map says may be named from the program's folder (swc's `transform`)."""
    other = Path(folder) / named if folder and "://" not in named else Path(path)
    return path if Path(path).is_file() or not other.is_file() else str(other)


def _base(path: str, map_url: str) -> str:
    where = Path(path)
    if map_url and not map_url.startswith("data:") and "://" not in map_url:
        where = where.parent / unquote(map_url)
    return str(where.parent)


def _load(url: str, map_url: str) -> "sourcemap.SourceMap | None":
    from dapwright.engines.node import sourcemap

    try:
        raw = _bytes(url, map_url)
        return sourcemap.parse(raw) if raw else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _bytes(url: str, map_url: str) -> bytes:
    if map_url.startswith("data:"):
        head, _, data = map_url.partition(",")
        return b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
    from dapwright.engines.node import sourcemap

    where = path_of(sourcemap.map_address(url if "://" in url else f"file://{percent(url)}", map_url))
    return Path(where).read_bytes() if where else b""


def map_beside(script: Path) -> str:
    """Return the `sourceMappingURL` that a compiled file names in its last lines, "" where none."""
    with script.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 4096))
        tail = file.read()
        if b"\n" not in tail.rstrip():  # a long last line: an inline map, whose beginning lies before
            file.seek(0)
            tail = file.read()
    found = _ANCHOR.search(tail.rstrip())
    return found[1].decode("utf-8", "replace") if found else ""
