"""Where a program's own line table has a statement begin, which may not be where its text does.

What runs first of `if (` and a condition below differs between versions of Python, and Perl, Lua and
Bash have many a statement of several lines begin on its last. Some engines tell by where they put a
breakpoint; the others by the first stop.
"""

from collections.abc import Iterable

from dapwright import files
from dapwright.core import anchors
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.ledger import Keeps, Record
from dapwright.session.connection import FRAMES, Connection, Stop
from dapwright.session.functions import structure
from dapwright.session.session import Session

Trials = dict[tuple[Record, int], tuple[int, list[int]]]
"""What is tried: (breakpoint, line) -> (the line that was asked, lines to try yet)."""


async def sync(session: Session, connection: Connection, file: str, keep: Keeps) -> None:
    """Make an engine's breakpoints in a file ours; none is left above the line that it was asked for.

    debugpy 1.8.22 puts one on a line without code to the line with code above: another statement,
    maybe in a branch that never runs. So the lines below are tried, in the same function alone.
    """
    moved = await connection.sync(session.ledger, file, keep, file)
    if not session.adapter.settles_above:
        return
    trials: Trials = {}
    while back := [(one, line) for one, line, at in moved if at < line and trials.get((one, line), (0, [0]))[1]]:
        for record, line in back:
            asked, left = (
                trials.pop((record, line)) if (record, line) in trials else (line, [*_later(file, line), line])
            )
            to = left.pop(0)
            record.put(file, line, to)
            trials[record, to] = (asked, left)
        moved = await connection.sync(session.ledger, file, keep, file)
    for (record, line), (asked, _) in trials.items():
        if line != asked:
            session.ledger.moves.pop(record.id, None)
            _tell(session, record, file, asked, line)


def _later(file: str, line: int) -> list[int]:
    try:
        return anchors.later(structure(file), line)
    except UsageError:
        return []


def widen(session: Session, records: Iterable[Record]) -> None:
    """Wait on every line of a statement of several, where the engine has no line table; the first stop tells."""
    for record in records:
        record.spans.clear()
        for file, line in record.wanted() if session.adapter.begins_late else ():
            try:
                last = anchors.end(structure(file), line)
            except UsageError:
                continue
            if last > line:
                record.spans[file, line] = last


async def learn(session: Session, stop: Stop, records: Iterable[Record]) -> list[str]:
    """Keep the one line that a statement turned out to begin on; the files whose breakpoints have changed."""
    waiting = [record for record in records if record.spans]
    if not waiting:
        return []
    try:
        frames = await stop.connection.frames(stop, FRAMES)
    except DapwrightError:
        return []
    top = next((frame for frame in frames if frame.file), None)
    touched = list[str]()
    for record in waiting:
        for (file, line), last in list(record.spans.items()):
            if top is None or files.canonical(top.file) != file or not line <= top.line <= last:
                continue
            record.put(file, line, top.line)
            touched.append(file)
            if top.line != line:
                _tell(session, record, file, line, top.line)
    return touched


def _tell(session: Session, record: Record, file: str, asked: int, line: int) -> None:
    if record.hidden:
        return
    text = structure(file).file.line(line).strip()
    if record.kind == "line":
        record.content, record.column = text, None
    if session.addressing == "line":
        return
    told = f"requested {asked}, bound to {line}: `{text}` (no code of this statement begins on line {asked} as it runs)"
    if record.kind == "line":
        record.requested_line = record.requested_line or asked
    if told not in record.warning:
        record.warning = "; ".join(filter(None, (record.warning, told)))
    session.warnings.append(f"{record.id}: {told}")
