"""A function's name found in the program's own sources, for engines that resolve names badly."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dapwright import files
from dapwright.core import anchors
from dapwright.core.errors import UsageError
from dapwright.core.ledger import Record
from dapwright.core.source import Structure, structure_of
from dapwright.session.session import Session

SEARCHED_FILES = 3000
"""How many sources of a project are looked through for a function's name."""
SKIPPED_FOLDERS = frozenset(["node_modules", "venv", "site-packages", "__pycache__", "dist", "build", "target"])


def structure(path: str) -> Structure:
    """The structure of a source file as it is now."""
    return structure_of(files.read(path))


def bind(record: Record, sources: list[tuple[str, Structure]], found: list[Any]) -> None:
    path, known = sources[0]
    places = [(path, _body(known, function)) for function in found]
    record.places = tuple(places)
    record.line, record.content = places[0][1], known.file.line(places[0][1]).strip()
    if len(places) > 1:
        listed = ", ".join(f"{function.qualified} ({line})" for function, (_, line) in zip(found, places, strict=True))
        record.warning = f"{len(places)} functions are named so, and all are bound: {listed}"


def _body(known: Structure, function: Any) -> int:
    lines = known.executable_lines(function)
    return lines[0] if lines else int(function.body)


def resolve_function(session: Session, record: Record) -> None:
    """Find a function in the program's own sources; where it is nowhere, the engine is asked by name."""
    found: list[tuple[str, int, str]] = []
    for path in _sources(session):
        text = session.host.read(path)
        if record.function.rsplit(".", 1)[-1] not in text:
            continue
        try:
            known = structure(path)
            found += [(path, _body(known, f), f.qualified) for f in anchors.functions(known, record.function)]
        except UsageError:
            continue
    record.places = tuple((path, line) for path, line, _ in found)
    if not found:
        record.message = f"no function `{record.function}` is in the program's sources"
        return
    record.file, record.line = found[0][0], found[0][1]
    record.content = structure(record.file).file.line(record.line).strip()
    if len(found) > 1:
        listed = ", ".join(f"{Path(path).name}:{line} {name}" for path, line, name in found[:20])
        record.warning = f"{len(found)} functions are named so, and all are bound: {listed}"


def _sources(session: Session) -> Iterator[str]:
    """The program's own sources: its file first, then those below its folders, libraries left aside."""
    launch = session.launch
    assert launch is not None
    if launch.program:
        yield files.canonical(launch.program)
    seen, count = {files.canonical(launch.program)} if launch.program else set[str](), 0
    roots = dict.fromkeys(
        folder for folder in (str(Path(launch.program).parent) if launch.program else "", launch.cwd) if folder
    )
    for root in roots:
        for folder, below, names in os.walk(root):
            below[:] = [name for name in sorted(below) if name not in SKIPPED_FOLDERS and not name.startswith(".")]
            for name in sorted(names):
                path = files.canonical(str(Path(folder) / name))
                if name.endswith(session.adapter.extensions) and path not in seen:
                    seen.add(path)
                    count += 1
                    if count > SEARCHED_FILES:
                        return
                    yield path
