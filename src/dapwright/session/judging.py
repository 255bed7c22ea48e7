"""What a stop means: which breakpoints it hit, and whether it is one to tell at all.

Conditions, counts and messages that an engine does not keep are kept here: the stop is
looked at, and the program goes on when nobody asked for it to stand still.
"""

from dapwright import files
from dapwright.core import hits, logs
from dapwright.core import protocol as dap
from dapwright.core.addresses import address_of
from dapwright.core.errors import DapwrightError
from dapwright.core.ledger import Keeps, Record, hits_by_engine, logs_by_engine
from dapwright.core.model import Frame
from dapwright.session import (
    arming,
    arriving,
    causes,
    looking,
    notices,
    observing,
    returning,
    settling,
    strides,
    values,
    watching,
)
from dapwright.session.connection import FRAMES, Stop
from dapwright.session.session import Session

AT_BREAKPOINT = frozenset({"breakpoint", "function breakpoint", "data breakpoint", "step", "entry", "goto"})


async def judge(session: Session, stop: Stop) -> None:
    """Tell a stop, or let the program go on from one that nobody asked for."""
    connection, epoch = stop.connection, stop.connection.epoch
    if _repeats(session, stop):
        return
    if stop.reason == "pause" and _enters(session):
        stop.reason = "entry"
    joined = stop.reason == "entry" and session.attachment is not None
    alien = stop.reason == "exception" and (stop.thread is None or bool(session.adapter.unhandled))
    if joined or alien or (stop.thread is None and stop.reason == "pause"):
        await _choose_thread(session, stop)
    if session.adapter.raised and stop.reason in ("step", "exception"):
        await _raised(session, stop)
    blind = session.adapter.cannot_judge is not None and bool(session.adapter.cannot_judge.match(stop.text))
    stop.reason = "breakpoint" if blind and stop.reason == "exception" else stop.reason
    records = await _records(session, stop, blind=blind) if stop.reason in AT_BREAKPOINT else []
    if connection.epoch != epoch or connection.over:
        return
    if touched := await settling.learn(session, stop, records):
        await arming.apply_files(session, dict.fromkeys(touched))
    wanted = [record for record in records if await _stops(session, stop, record, alone=len(records) == 1)]
    unasked = _unasked(session, stop, records, wanted)
    if await (strides.goes_on(session, stop) if unasked else strides.passes(session, stop)):
        return
    if await arriving.passes(session, stop):
        return
    stop.hits = [record.id for record in wanted if not record.hidden]
    _name(session, stop, wanted, ours=bool(records))
    if stop.reason == "data breakpoint":
        await watching.fill(stop, wanted)
        if connection.epoch != epoch or connection.over:
            return
    await causes.learn(session, stop)
    await returning.tell(session, stop)
    if connection.epoch != epoch or connection.over or _repeats(session, stop):
        return
    session.publish(stop)
    await _drop_hidden(session)


def _repeats(session: Session, stop: Stop) -> bool:
    """One stop of a program that was joined, told twice.

    lldb-dap 23 tells the trap where a gdbserver holds it, and at `configurationDone` an entry for the same stop,
    perhaps when the first was answered and the program told to go on.
    """
    if session.attachment is None or not session.adapter.bare_signals or session.last_stop is None:
        return False
    stands = any(s.connection is stop.connection and s.thread == stop.thread for s in session.stops)
    return stop.raw_reason == "entry" or stands


def _enters(session: Session) -> bool:
    """The first stop of a program that was to stop at its entry, which rdbg calls a pause."""
    begun = session.launch is not None and session.launch.stop_on_entry
    return begun and session.last_stop is None and not session.pausing


async def _choose_thread(session: Session, stop: Stop) -> None:
    """A stop that names no thread, or any one (Delve, where all wait): the first in the program's own code.

    So too where the runtime itself gave up: a test's time limit panics in a goroutine of the library's.
    """
    internal, best = session.adapter.internal_frame, None
    try:
        others = [thread.id for thread in (await stop.connection.client.ask(dap.THREADS)).threads[:FRAMES]]
        for thread in others if stop.thread is None else [stop.thread, *others]:
            found = Stop(stop.connection, thread, stop.reason, stop.raw_reason)
            frames = await stop.connection.frames(found, FRAMES)
            rank = -1 if thread == stop.thread else session.adapter.thread_rank(frames)
            if not all(map(internal, frames)) and (best is None or rank < best[0]):
                best = (rank, found)
            if best is not None and best[0] <= 0:
                break
    except DapwrightError:
        pass
    if best is None:
        return
    found = best[1]
    if stop.reason == "exception" and stop.thread not in (None, found.thread):
        stop.note = "where it was raised is none of the program's code: another thread of it is shown"
    stop.thread, stop.frames, stop.total_frames = found.thread, found.frames, found.total_frames


async def _raised(session: Session, stop: Stop) -> None:
    """Learn from a variable which exception a thread stands at; a "step" onto one that nobody caught is no step."""
    try:
        frames = await stop.connection.frames(stop, FRAMES)
        page = await looking.locals_of(session, stop.connection, frames[0], special=True) if frames else None
    except DapwrightError:
        return
    found = next((v for v in page.variables if v.name == session.adapter.raised), None) if page else None
    if found is not None:
        mode = "unhandled" if stop.reason == "step" else "always"
        stop.reason = "exception"
        stop.exception = {"exceptionId": found.type or "unknown", "breakMode": mode, "description": str(found.value)}


def _unasked(session: Session, stop: Stop, records: list[Record], wanted: list[Record]) -> bool:
    if session.pausing or wanted:
        return False
    if stop.reason == "entry":
        begun = session.launch or session.attachment
        return not (begun and begun.stop_on_entry)
    if not records and stop.reason == "breakpoint" and session.adapter.keeps_removed and stop.frames:
        return session.ledger.was_at(files.canonical(stop.frames[0].file), stop.frames[0].line)
    return bool(records) and stop.reason in ("breakpoint", "function breakpoint", "data breakpoint")


def _name(session: Session, stop: Stop, wanted: list[Record], *, ours: bool) -> None:
    """Correct the reason where the engine's word is not the whole truth; `ours`: a breakpoint of ours is there."""
    kinds = {record.kind for record in wanted if not record.hidden}
    if any(record.hidden == "entry" for record in wanted) and not kinds:
        stop.reason = "entry"
    elif any(record.hidden == "until" for record in wanted) and not kinds:
        stop.reason = "goto"
        stop.description = "reached the line that `until` named"
    elif any(record.hidden == "failure" for record in wanted):
        stop.reason, stop.description, stop.text = "exception", "the test reports a failure", ""
    elif stop.reason in ("breakpoint", "function breakpoint") and kinds == {"function"}:
        addresses = all(address_of(record.function) for record in wanted)
        stop.reason = "breakpoint" if addresses else "function breakpoint"
    elif stop.reason in ("breakpoint", "unknown") and not wanted and (said := _raiser(session, stop)):
        stop.reason, stop.description = "exception", said
    elif stop.reason == "entry" and kinds:
        stop.reason = "breakpoint"
    elif stop.reason == "breakpoint" and not wanted and session.mover.startswith("step"):
        stop.reason = "step"  # Perl::LanguageServer 2.5.0 calls every stop a breakpoint
    if session.pausing and not wanted and (ours or stop.reason in ("step", "exception", "unknown", "signal")):
        stop.reason = "pause"  # at a breakpoint that asked for no stop, too
    if not wanted and _holds(session, stop):
        stop.reason, stop.description, stop.text = "pause", "", ""
    if stop.hits and stop.reason == "breakpoint":
        stop.description = ""  # the engine's words for it (rdbg: `BP - Line  file:3 (line)`); ours has its id


def _holds(session: Session, stop: Stop) -> bool:
    """LLDB's words for a program that was joined and stands still: an entry, or the trap where a gdbserver holds it."""
    first = session.attachment is not None and session.last_stop is None and session.adapter.bare_signals
    return first and (stop.reason == "entry" or stop.description == "signal SIGTRAP")


def _raiser(session: Session, stop: Stop) -> str:
    """What is said of a stop in the function of a runtime that raises; "" anywhere else."""
    name = stop.frames[0].name.split("(")[0].rpartition("::")[2] if stop.frames else ""
    return session.adapter.raisers.get(name, "")


async def _records(session: Session, stop: Stop, *, blind: bool = False) -> list[Record]:
    """The breakpoints that a stop is at: by the engine's ids, else by where it stands.

    `blind`: it does not say whether of a line or of a function.
    """
    connection = stop.connection
    named = session.ledger.hit(connection.number, stop.engine_hits)
    if named:
        return _asked_inside(session, named) if connection.instrumented else named
    if stop.reason == "step":
        return []  # it landed on a line that has one: a step all the same, and no hit of it
    try:
        frames = await connection.frames(stop, FRAMES)
    except DapwrightError:
        return []
    top = next((frame for frame in frames if frame.file), None)
    if top is None:
        return []
    found = session.ledger.at(files.canonical(top.file), top.line)
    if stop.reason == "function breakpoint" or (blind and not found):
        found += [record for record in session.ledger.of_kind("function") if _names(record, top)]
    if stop.reason == "data breakpoint":
        found += session.ledger.of_kind("watch")
    found = list(dict.fromkeys(found))
    return _asked_inside(session, found) if connection.instrumented else found


def _asked_inside(session: Session, named: list[Record]) -> list[Record]:
    """Of the breakpoints of a line those that our code in the program stopped for."""
    beside = [r for r in session.ledger if r in named or any(set(r.lines()) & set(one.lines()) for one in named)]
    if not any(record.decides for record in beside):
        return named
    ids = {record.id for record in beside}
    for entry in session.findings.stopping:
        if ids & set(entry[1]):
            session.findings.stopping.remove(entry)
            return [record for record in beside if record.id in entry[1]]
    return named


def _names(record: Record, frame: Frame) -> bool:
    plain = frame.name.split("(")[0].strip()
    return record.function in (plain, plain.rsplit(".", 1)[-1], plain.rsplit("::", 1)[-1])


async def _stops(session: Session, stop: Stop, record: Record, *, alone: bool) -> bool:
    """Tell whether this breakpoint wants the program to stand; count, and write its message.

    `alone`: no other is there, so that the engine has judged what it was sent of it.
    """
    if stop.connection.instrumented and record.decides:
        record.hits += record.probe is None
        return True
    if record.hidden == "failure" and await _reported(stop):
        return False
    if record.probe is not None:
        return await observing.look(session, stop, record, record.probe)
    keep = session.ledger.kept(record, arming.keeps(session, stop.connection))
    if record.logs and logs_by_engine(record, keep):
        return False  # the engine tells each message, and whose it is (notices.py)
    if not await _condition_holds(session, stop, record, keep, alone=alone):
        return False
    record.reached += 1
    ours = record.hit_condition and hits_by_engine(record, keep) is None
    if ours and not hits.parse(record.hit_condition).holds(record.reached):
        return False
    record.hits += 1
    if record.lost:  # found by its name, in what was loaded since
        record.message, record.warning, record.lost = "", "", False
    if record.logs:
        await _log(session, stop, record)
    return not record.logs


async def _reported(stop: Stop) -> bool:
    """A runner's reporter that called itself: Go's `Fail` tells the parents of a test, too."""
    try:
        frames = await stop.connection.frames(stop, FRAMES)
    except DapwrightError:
        return False
    return len(frames) > 1 and frames[0].name == frames[1].name


async def _condition_holds(session: Session, stop: Stop, record: Record, keep: Keeps, *, alone: bool) -> bool:
    if not record.condition or (keep.conditions and keep.one_meaning):
        return True
    try:
        judged = keep.conditions and alone and record.kind == "line"  # bash-dap 0.3 keeps none of a function
        return await observing.holds(session, stop, record.condition) or judged
    except DapwrightError as failure:  # Delve 1.27 and LLDB 23 stop at what they cannot evaluate
        notices.failed(session, record, str(failure))
        return False


async def _log(session: Session, stop: Stop, record: Record) -> None:
    """Write a logpoint's message; a failing expression is shown as its error, in its place."""
    words: list[str] = []
    for part in logs.parse(record.log_message):
        if not part.expression:
            words.append(part.text)
            continue
        try:
            words.append((await values.evaluate_top(stop, part.text)).result)
        except DapwrightError as failure:
            words.append("{" + " ".join(str(failure).split()) + "}")
    session.printed("log", "".join(words) + "\n")


async def _drop_hidden(session: Session) -> None:
    """Whatever stop comes first takes `until` with it; an entry is passed but once."""
    hidden = [record for record in session.ledger if record.hidden in ("until", "entry")]
    if not hidden:
        return
    touched = [file for record in hidden for file, _ in record.lines()]
    functions = any(record.kind == "function" for record in hidden)
    session.ledger.remove(hidden)
    await arming.apply_files(session, dict.fromkeys(touched), functions=functions)
