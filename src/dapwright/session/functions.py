"""A function's name found in the program's own sources, for engines that resolve names badly."""

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

from dapwright import files
from dapwright.core import anchors
from dapwright.core.errors import UsageError
from dapwright.core.ledger import Record
from dapwright.core.source import Structure, plain, structure_of
from dapwright.session.session import Session

SEARCHED_FILES = 3000
"""How many sources of a project are looked through for a function's name."""
NAMED_FILES = 50
"""How many of them are read for names that are near one which is nowhere."""
PACKAGE = re.compile(r"^package (\w+)\s*$", re.M)
SKIPPED_FOLDERS = frozenset(
    ["node_modules", "venv", "site-packages", "__pycache__", "dist", "build", "target", "CMakeFiles"]
)


def structure(path: str) -> Structure:
    """The structure of a source file as it is now."""
    return structure_of(files.read(path))


def bind(record: Record, sources: list[tuple[str, Structure]], found: list[Any]) -> None:
    path, known = sources[0]
    places = [(path, _body(known, function)) for function in found]
    record.places = tuple(places)
    record.warning = ""
    record.line, record.content = places[0][1], known.file.line(places[0][1]).strip()
    if len(places) > 1:
        listed = ", ".join(f"{function.qualified} ({line})" for function, (_, line) in zip(found, places, strict=True))
        record.warning = f"{len(places)} functions are named so, and all are bound: {listed}"


def _body(known: Structure, function: Any) -> int:
    lines = known.executable_lines(function)
    return lines[0] if lines else int(function.body)


def resolve_functions(session: Session) -> None:
    """Find every function again that a breakpoint names, in the sources of the program that is about to run."""
    who = session.adapter.function_breakpoints
    for record in session.ledger.of_kind("function") if who != "engine" else ():
        if record.within:
            continue
        if who == "either":  # the engine is asked first
            record.places, record.file, record.line, record.content = (), "", 0, ""
            record.message, record.warning, record.lost = "", "", False
            continue
        known = record.warning
        resolve_function(session, record)
        if record.warning and record.warning != known and not record.hidden:
            session.warnings.append(f"{record.id} `{record.function}`: {record.warning}")


def resolve_function(session: Session, record: Record) -> None:
    """Find a function in the program's own sources; where it is nowhere, the engine is asked by name."""
    found: list[tuple[str, int, str]] = []
    refusals = list[str]()
    for path in sources(session):
        text = session.host.read(path)
        if bare(record.function) not in text:
            continue
        try:
            known = structure(path)
            named = anchors.functions(known, within_package(record.function, text))
            found += [(path, _body(known, f), f.qualified) for f in named]
        except UsageError as refusal:
            refusals += [str(refusal)] if "is a class" in str(refusal) else []
    record.places = tuple((path, line) for path, line, _ in found)
    record.message, record.warning, record.lost = "", "", not (found or refusals)
    if not found:
        record.file, record.line, record.content = "", 0, ""
        record.message = record.warning = refusals[0] if refusals else unknown(session, record.function)
        return
    record.file, record.line = found[0][0], found[0][1]
    record.content = structure(record.file).file.line(record.line).strip()
    if len(found) > 1:
        listed = ", ".join(f"{name} ({Path(path).name}:{line})" for path, line, name in found[:20])
        record.warning = f"{len(found)} functions are named so, and all are bound: {listed}"


def bare(function: str) -> str:
    """The last part of a function's name, whatever its language writes between them: `Geo::Box#area` is `area`."""
    return plain(function).rsplit(".", 1)[-1]


def within_package(function: str, text: str) -> str:
    """A function's name without the Go package that a source says it is of: `main.total` is `total` in `main`."""
    package = PACKAGE.search(text)
    return function.removeprefix(package[1] + ".") if package else function


def unknown(session: Session, function: str) -> str:
    """What is told of a function that was found nowhere: the names that are near; or that its code was not loaded."""
    names, program = set[str](), session.launch.program if session.launch else ""
    extensions = (*session.adapter.extensions, *filter(None, [Path(program).suffix]))
    for path in islice(sources(session, extensions), NAMED_FILES):
        try:
            names.update(found.name for found in structure(path).functions if found.kind == "function")
        except UsageError:
            continue
    if bare(function) in names:
        return f"never bound so far: no code that was loaded has a function `{function}`"
    near = get_close_matches(bare(function), sorted(names), 5, 0.5)
    told = f"; the nearest names: {', '.join(f'`{name}`' for name in near)}" if near else ""
    return f"never bound so far: no function `{function}` is in the program's sources{told}"


def sources(session: Session, extensions: tuple[str, ...] = ()) -> Iterator[str]:
    """The program's own sources: its file first, then those below its folders, libraries left aside."""
    extensions = extensions or session.adapter.extensions
    launch, attachment = session.launch, session.attachment
    program = launch.program if launch else ""
    seen, count = set[str](), 0
    if program and program.endswith(extensions) and Path(program).is_file():
        seen.add(files.canonical(program))
        yield files.canonical(program)
    folders = [_folder_of(program), launch.cwd if launch else ""]
    folders += [_configured(session, folder) for folder in folders if folder]
    if attachment is not None:
        folders += [attachment.cwd, *attachment.source_paths, *(local for local, _ in attachment.path_mappings)]
    for root in dict.fromkeys(folder for folder in folders if folder):
        for folder, below, names in os.walk(root):
            below[:] = [name for name in sorted(below) if name not in SKIPPED_FOLDERS and not name.startswith(".")]
            for name in sorted(names):
                path = files.canonical(str(Path(folder) / name))
                if name.endswith(extensions) and path not in seen:
                    seen.add(path)
                    count += 1
                    if count > SEARCHED_FILES:
                        return
                    yield path


def _folder_of(program: str) -> str:
    """Where a program's own sources lie: a project folder itself, else what a file lies in; nowhere for a command."""
    if not program or os.path.basename(program) == program:
        return ""
    return program if Path(program).is_dir() else str(Path(program).parent)


def _configured(session: Session, folder: str) -> str:
    """The sources of a CMake build folder, "" where it is none."""
    found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$", session.host.read(f"{folder}/CMakeCache.txt"), re.M)
    return found[1].strip() if found else ""
