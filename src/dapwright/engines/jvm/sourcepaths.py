"""Where the source of a class is on this machine."""

import os
from collections.abc import Sequence
from typing import Any

from dapwright.engines.jvm.sourcefile import read_source, read_text


class SourcePaths:
    """Folders and files where sources are, and what was found of them."""

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.files: list[str] = []
        """Files that the client named itself: its own spelling is the one to tell."""
        self._found: dict[tuple[str, str], dict[str, Any]] = {}

    def add(self, folders: Sequence[str] = (), files: Sequence[str] = ()) -> None:
        """Know more places."""
        self.folders += [one for one in folders if one not in self.folders]
        self.files += [one for one in files if one not in self.files]
        self._found.clear()

    def find(self, package: str, file: str) -> dict[str, Any]:
        key = (package, file)
        if key not in self._found:
            self._found[key] = self._look(package, file)
        return self._found[key]

    def _look(self, package: str, file: str) -> dict[str, Any]:
        inside = os.path.join(*package.split("."), file) if package else file
        named = [path for path in self.files if os.path.basename(path) == file]
        for path in named:
            if path.endswith(os.sep + inside) or (len(named) == 1 and self._says(path, package)):
                return {"name": file, "path": path}
        for folder in self.folders:
            for candidate in (inside, file):
                path = os.path.join(folder, candidate)
                if os.path.isfile(path) and (candidate == inside or self._says(path, package)):
                    return {"name": file, "path": path}
        return {"name": file, "origin": package}

    def _says(self, path: str, package: str) -> bool:
        """Tell whether a source declares the package: the folder need not (Kotlin)."""
        try:
            text = read_text(path)
        except OSError:
            return False
        return read_source(text, os.path.basename(path)).package == package


def find_source(sources: SourcePaths, package: str, file: str) -> dict[str, Any]:
    """The `source` of a frame: with a path where the file is here, else the name alone."""
    return sources.find(package, file)


def guess_folders(arguments: dict[str, Any]) -> list[str]:
    """Folders where a program's sources may be: those named, and those usual in its working folder."""
    named = [str(one) for one in arguments.get("sourcePaths") or ()]
    cwd = str(arguments.get("cwd") or os.getcwd())
    usual = [
        os.path.join(cwd, *filter(None, part.split("/")))
        for part in ("src/main/java", "src/test/java", "src/main/kotlin", "src/test/kotlin", "src", "")
    ]
    return [one for one in [*named, *usual] if os.path.isdir(one)]
