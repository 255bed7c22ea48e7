"""Whether the sources of a build were changed after it began, as far as their dates tell.

A removed source leaves no date and is not seen.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator

SUFFIXES = (
    *(".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inc", ".m", ".mm", ".s", ".asm", ".l", ".y"),
    *(".rs", ".go", ".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".zig", ".d", ".nim", ".cr", ".swift"),
    *(".f", ".f90", ".f95", ".f03", ".f08", ".for", ".adb", ".ads", ".gpr", ".pas", ".pp", ".cob", ".cbl", ".cpy"),
    *(".cs", ".fs", ".vb", ".hs", ".ml", ".proto", ".sbt", ".csproj", ".sln"),
    *(".xml", ".toml", ".gradle", ".properties", ".cmake", ".mk", ".in", ".mod", ".work", ".build"),
)
NAMES = frozenset(["Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "meson_options.txt"])
OUTPUTS = {
    "target": ("../Cargo.toml", "../pom.xml", "../build.sbt"),
    "build": ("../build.gradle", "../build.gradle.kts", "CMakeCache.txt", "meson-info"),
}
"""Folders that a build tool writes, each by what stands beside or in it where it is one."""
SKIPPED = ("node_modules", "CMakeFiles", "meson-private", "__pycache__")
HOME = "CMAKE_HOME_DIRECTORY:INTERNAL="
DESCRIPTIONS = ("Cargo.toml", "go.mod", "go.work", "pom.xml", "build.gradle", "build.gradle.kts", "CMakeLists.txt")
REALTIME_COARSE = 5
"""Linux's own number of that clock, which `time` does not name."""
LEVELS = 6
"""How far above a build's folder the whole of its project is looked for."""


def now() -> float:
    """The time as files are dated, in seconds: Linux dates them by the last tick, up to 10 ms ago."""
    return time.clock_gettime(REALTIME_COARSE) if sys.platform == "linux" else time.time()


def root(folder: str) -> str:
    """The folder that holds a build's project: the repository, else the outermost that is described."""
    found = at = folder
    shared = (os.path.expanduser("~"), tempfile.gettempdir(), os.path.sep)
    for _ in range(LEVELS):
        if at in shared:  # what lies there, be it a repository of settings, is nobody's project
            break
        if os.path.exists(f"{at}/.git"):
            return at
        if any(os.path.isfile(f"{at}/{name}") for name in DESCRIPTIONS):
            found = at
        at = os.path.dirname(at)
    return found


def changed(folder: str, argv: Iterable[str], began: float) -> str:
    """A source that changed after `began` (by `now`), "" for none.

    Looked at is the project around `folder`, and what lies beside a source that the command names.
    """
    named = {os.path.dirname(word) for word in argv if word.lower().endswith(SUFFIXES) and os.path.isfile(word)}
    for place in dict.fromkeys([root(folder) if folder else "", *sorted(named)]):
        if place and (path := _changed(place, began)):
            return path
    return ""


def _changed(folder: str, began: float) -> str:
    for path in _sources(folder):
        try:
            seen = os.stat(path)
        except OSError:
            continue
        if max(seen.st_mtime, seen.st_ctime) >= began:
            return path
    return ""


def _sources(folder: str) -> Iterator[str]:
    for where, folders, files in os.walk(folder):
        if where != folder and _is_built_in(where, folders, files):
            folders.clear()
            continue
        folders[:] = [name for name in folders if not _is_output(where, name)]
        for name in files:
            if name in NAMES or name.lower().endswith(SUFFIXES):
                yield os.path.join(where, name)


def _is_built_in(where: str, folders: list[str], files: list[str]) -> bool:
    """Whether CMake or Meson builds here, whatever the folder's name: they write makefiles and `*.cmake` there.

    Where the sources lie here too, or below, they count: CMake's cache names their folder.
    """
    if "meson-info" in folders:
        return "meson.build" not in files
    if "CMakeCache.txt" not in files or "CMakeLists.txt" in files:
        return False
    try:
        with open(f"{where}/CMakeCache.txt", encoding="utf-8", errors="replace") as cache:
            home = next((line.strip().partition("=")[2] for line in cache if line.startswith(HOME)), "")
    except OSError:
        return False
    return not f"{os.path.realpath(home)}/".startswith(f"{os.path.realpath(where)}/") if home else True


def _is_output(where: str, name: str) -> bool:
    if name.startswith((".", "cmake-build-")) or name in SKIPPED:
        return True
    marks = OUTPUTS.get("build" if name == "builddir" else name, ())
    return any(os.path.exists(os.path.join(where, name, mark)) for mark in marks)
