"""Why a native program does not move: asked of our gdb plugin, which the program must stand still for."""

import asyncio
from typing import Any

from dapwright.core import protocol as dap
from dapwright.core.bodies import Body
from dapwright.core.errors import NotSupported, WrongState
from dapwright.session import Session, looking, running

SAMPLE_SECONDS = 0.3
STOP_SECONDS = 8.0
TICKS = 100
"""Clock ticks a second in `/proc/PID/task/TID/stat` (USER_HZ, the same on every Linux)."""


class Threads(Body):
    """What `dapwright/threads` answers."""

    threads: list[dict[str, Any]] = []


THREADS = dap.Request("dapwright/threads", Threads)


async def look(session: Session) -> tuple[list[dict[str, Any]], str]:
    """Each thread with its stack and its wait, and a note; a running program is stopped for the look, and goes on.

    Raises:
        NotSupported: another debugger than gdb is at work.
        WrongState: the program did not stand still in time.
    """
    if session.adapter.engine != "gdb" or session.main is None:
        raise NotSupported(
            f"{session.adapter.engine} does not tell what threads wait for",
            "call pause_execution, then list_threads and get_stack_trace for each",
        )
    ran = session.state == "running"
    busy = await _busy(session, session.main.process_id) if ran else {}
    if ran:
        await running.pause(session)
        if not await session.until(lambda: session.state != "running", STOP_SECONDS):
            raise WrongState("the program did not stand still in time", "call pause_execution, then this again")
    body = await session.main.client.ask(THREADS)
    rows = [{**row, "busy": busy.get(row["ident"], 0.0)} for row in body.threads]
    for row in rows:
        row["name"] = f"thread {looking.show_thread(session, session.main, row['number'])} ({row['name']})"
    stop = session.stop
    if not ran:
        return rows, ""
    if stop is None or stop.reason != "pause":
        return rows, "the program came to a stop of its own meanwhile: call wait_for_stop"
    await running.resume(session, dap.CONTINUE)
    return rows, "the program was stopped for this look, and runs on"


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
