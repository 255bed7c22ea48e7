"""The class path of a program, and copies of its classes that a compiler may see into."""

import os
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from dapwright.engines.jvm.classfile import publicise


class OpenCopies:
    """Public copies of classes, in a folder that stands before the program's own class path."""

    def __init__(self) -> None:
        self._folder = ""
        self._done: set[str] = set()
        self.names: set[str] = set()
        """The binary names of the classes that were copied."""

    def path(self, entries: Sequence[str], top: str) -> str:
        """A class path on which the class `top` and all nested in it are public."""
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix="dapwright-open-")
        if top not in self._done:
            self._done.add(top)
            for name, data in _class_files(entries, top):
                self.names.add(name.removesuffix(".class").replace("\\", "/").replace("/", "."))
                target = Path(self._folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(publicise(data))
        return os.pathsep.join([self._folder, *entries])

    def forget(self) -> None:
        """Classes were replaced: copy them again."""
        self._done.clear()

    def close(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""


def module_entries(paths: Sequence[str]) -> list[str]:
    """The class path that a module path comes to: each entry is a module, or a folder of modules."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path) or os.path.isfile(os.path.join(path, "module-info.class")):
            found.append(path)
            continue
        inside = [os.path.join(path, name) for name in sorted(os.listdir(path))]
        found += [one for one in inside if one.endswith(".jar") or os.path.isdir(one)]
    return found


def _class_files(entries: Sequence[str], top: str) -> list[tuple[str, bytes]]:
    """The class files of `top` and of what is nested in it, from the first entry that has it."""
    inside = top.replace(".", "/")
    package, _, simple = inside.rpartition("/")
    for entry in entries:
        place = Path(entry)
        if place.is_dir() and Path(place, inside + ".class").is_file():
            files = [Path(place, inside + ".class"), *Path(place, package).glob(f"{simple}$*.class")]
            return [(str(file.relative_to(place)), file.read_bytes()) for file in files]
        if place.is_file() and zipfile.is_zipfile(place):
            with zipfile.ZipFile(place) as archive:
                wanted = [n for n in archive.namelist() if n == inside + ".class" or n.startswith(inside + "$")]
                if inside + ".class" in wanted:
                    return [(name, archive.read(name)) for name in wanted if name.endswith(".class")]
    return []
