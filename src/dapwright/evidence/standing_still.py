"""Why a program does not move, asked of an engine of ours: of a running one too, or only of one that stands still."""

import asyncio

from dapwright.core import protocol as dap
from dapwright.core.errors import WrongState
from dapwright.core.waits import Seen, Told
from dapwright.session import Session, looking, running

SAMPLE_SECONDS = 0.3
STOP_SECONDS = 8.0
LOOK_SECONDS = 10.0
TICKS = 100
"""Clock ticks a second in `/proc/PID/task/TID/stat` (USER_HZ, the same on every Linux)."""
WAITS = dap.Request("dapwright/waits", Told)


async def asked(session: Session) -> Seen:
    """What the engine of each process tells; a running program is stopped by the engine itself, for a moment."""
    living = [c for c in session.connections.values() if not c.over and c.configured]
    said = [await connection.client.ask(WAITS, {}, LOOK_SECONDS) for connection in living]
    threads = [row for one in said for row in one.threads]
    return Seen(threads, paused=any(one.paused for one in said), notes=[one.note for one in said])


async def look(session: Session) -> Seen:
    """Each thread with its stack and its wait; a running program is stopped for the look, and goes on.

    Raises:
        WrongState: the program did not stand still in time.
    """
    ran = session.state == "running"
    busy = await _busy(session, session.main.process_id if session.main else None) if ran else {}
    if ran:
        await stop(session)
    connection = running.standing(session).connection
    rows = (await connection.client.ask(WAITS, {}, LOOK_SECONDS)).threads
    for row in rows:
        row["busy"] = busy.get(row["ident"], 0.0)
        row["name"] = f"thread {looking.show_thread(session, connection, row['number'])} ({row['name']})"
    if not ran:
        return Seen(rows)
    if session.stop is None or session.stop.reason != "pause":
        return Seen(rows, notes=["the program came to a stop of its own meanwhile: call wait_for_stop"])
    await running.resume(session, dap.CONTINUE)
    return Seen(rows, notes=["the program was stopped for this look, and runs on"])


async def stop(session: Session) -> None:
    """Have a running program stand still for a look.

    Raises:
        WrongState: it did not in time.
    """
    await running.pause(session)
    if not await session.until(lambda: session.state != "running", STOP_SECONDS):
        raise WrongState("the program did not stand still in time", "call pause_execution, then this again")


async def _busy(session: Session, process: int | None) -> dict[int, float]:
    """The share of a processor that each thread takes now."""
    before = _times(session, process)
    await asyncio.sleep(SAMPLE_SECONDS)
    after = _times(session, process)
    shares = {tid: (now - before.get(tid, now)) / TICKS / SAMPLE_SECONDS for tid, now in after.items()}
    return {tid: round(min(share, 1.0), 2) for tid, share in shares.items() if share > 0.1}


def _times(session: Session, process: int | None) -> dict[int, int]:
    found = {}
    for folder in session.host.glob(f"/proc/{process}/task/*") if process else ():
        words = session.host.read(f"{folder}/stat").rpartition(")")[2].split()
        if len(words) > 13:
            found[int(folder.rpartition("/")[2])] = int(words[11]) + int(words[12])
    return found
