"""Which functions a trace is about: found in the program's own sources, by what `focus` names."""

import fnmatch
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from dapwright import files
from dapwright.core.errors import NotSupported, UsageError
from dapwright.core.source import SourceFile
from dapwright.core.source.entries import Entry, entries
from dapwright.core.source.grammars import grammar
from dapwright.core.source.languages import EXTENSIONS
from dapwright.session import Session, functions

MOST_FUNCTIONS = 600
"""Functions of one trace: each is a breakpoint or two."""
MOST_FILES = 500
"""Files read for their functions where no `focus` names them."""
MAGIC = "*?["
TOGETHER = ({".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"}, {".java", ".kt", ".scala", ".groovy"})
"""Languages that meet in one program."""


@lru_cache(maxsize=256)
def known(file: SourceFile) -> tuple[Entry, ...]:
    """The functions of a file, as long as it is the same reading."""
    return tuple(entries(file))


def named(entry: Entry, path: str, folder: str) -> tuple[str, ...]:
    """All that a glob of `focus` may mean of a function: its names, its file's."""
    return entry.name, entry.name.rsplit(".", 1)[-1], path, os.path.basename(path), os.path.relpath(path, folder)


def in_focus(entry: Entry, path: str, folder: str, focus: Sequence[str]) -> bool:
    """Whether a function is traced; every one of the program's own is, where nothing is named."""
    return not focus or any(fnmatch.fnmatchcase(one, glob) for one in named(entry, path, folder) for glob in focus)


def found(session: Session, focus: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """The functions in focus as arguments of `dapwright/trace`, and what is to be said of the search.

    Raises:
        UsageError: no function of the program's sources is in focus.
    """
    folder = os.path.realpath(session.launch.cwd if session.launch and session.launch.cwd else os.getcwd())
    functions_found: list[dict[str, Any]] = []
    for count, path in enumerate(_files(session, focus)):
        if not focus and count >= MOST_FILES:
            return functions_found, f"{MOST_FILES} files were searched for functions: `focus` searches them all"
        try:
            read = files.read(path)
        except UsageError:
            continue
        for entry in known(read):
            if not in_focus(entry, path, folder, focus):
                continue
            if len(functions_found) >= MOST_FUNCTIONS:
                return functions_found, f"only the first {MOST_FUNCTIONS} functions in focus are traced: narrow `focus`"
            functions_found.append(_told(entry, path))
    if not functions_found:
        _explain(session)
        some = ", ".join(f"`{os.path.basename(path)}`" for path in islice(_files(session, ()), 8))
        raise UsageError(
            "no function of the program's sources is in focus",
            "`focus` takes globs of function names or of files"
            + (f"; the sources: {some}" if some else "; none was found: pass `cwd`, the folder that they lie in"),
        )
    return functions_found, ""


def _explain(session: Session) -> None:
    """Refuse where it is the language that has no reader here.

    Raises:
        NotSupported: no grammar of it is installed, or there is none.
    """
    language = session.adapter.source_language or session.adapter.language
    if language in EXTENSIONS.values() and grammar(language) is None:
        raise NotSupported(
            f"the functions of {session.adapter.display_name} sources are not known here: no grammar reads them",
            "use investigate with function probes",
        )


def _told(entry: Entry, path: str) -> dict[str, Any]:
    return {
        "name": entry.name,
        "file": path,
        "line": entry.line,
        "first": entry.first,
        "last": entry.last,
        "opens": list(entry.opens),
        "starts": list(entry.starts),
        "closes": list(entry.closes),
        "parameters": list(entry.parameters),
        "suspends": entry.suspends,
        "loops": entry.loops,
    }


def _files(session: Session, focus: Sequence[str]) -> Iterator[str]:
    """The sources that may hold a function in focus, by the words that a glob must find in a text."""
    own = session.adapter.extensions
    together = next((group for group in TOGETHER if set(own) & group), None)
    for path in functions.sources(session, tuple(together) if together else own):
        if not focus or any(_may_hold(session, path, glob) for glob in focus):
            yield path


def _may_hold(session: Session, path: str, glob: str) -> bool:
    if os.path.basename(glob) == os.path.basename(path) or any(mark in glob for mark in MAGIC):
        return True
    return glob.rsplit(".", 1)[-1] in session.host.read(path)
