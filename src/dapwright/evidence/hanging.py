"""Why nothing moves: what each thread and task waits for, who holds it, and where that goes round.

A language joins by one thing: an engine that answers `dapwright/waits` (`Adapter.waits`), the words of its
stacks (`Adapter.stacks`), or code inside its program (`Adapter.inside`). Each way of looking gives what it
saw as rows of core/waits.py; the verdict and the telling are the same for all.
"""

from collections.abc import Sequence
from typing import Any

from dapwright.core import redact, state
from dapwright.core.errors import AdapterError, NotSupported
from dapwright.core.inside import Inside
from dapwright.core.waits import Row, Seen, grouped, place, verdict, waiting_for
from dapwright.evidence import stacks, standing_still
from dapwright.session import Session, probing
from dapwright.session.values import ask_value

LOOK_SECONDS = 10.0
MOST = 30


async def explain(session: Session) -> dict[str, Any]:
    """Look at every process of the program.

    Raises:
        NotSupported: nothing of ours can look at this language's threads.
        AdapterError: the program did not answer: its interpreter itself stands still.
    """
    state.require(session.state, "list threads")
    seen = await _look(session)
    after = (
        "get_stack_trace {threadId} shows how one came there"
        if session.state == "paused"
        else "pause_execution, to look at the values of where it stands"
    )
    return {"sessionId": session.id, "state": session.state, "next": after} | _told(seen)


async def _look(session: Session) -> Seen:
    adapter = session.adapter
    match adapter.waits:
        case "any":
            return await standing_still.asked(session)
        case "standing":
            return await standing_still.look(session)
    if adapter.stacks is not None:
        return await stacks.look(session, adapter.stacks)
    if adapter.inside is not None:
        return await _inside(session, adapter.inside)
    raise NotSupported(
        f"{adapter.display_name} programs cannot be asked what they wait for here",
        "call pause_execution, then list_threads and get_stack_trace for each",
    )


async def _inside(session: Session, inside: Inside) -> Seen:
    """Have code of ours look from within each process."""
    endpoint = await probing.open_endpoint(session)
    session.findings.reports.clear()
    living = [c for c in session.connections.values() if not c.over and c.configured]
    expression = inside.hang(session.host, endpoint.port, endpoint.nonce)
    for connection in living:
        await ask_value(connection, None, expression, seconds=LOOK_SECONDS)
    await session.until(lambda: len(session.findings.reports) >= len(living), LOOK_SECONDS)
    if not session.findings.reports:
        raise AdapterError(
            "the program did not look at its threads in time",
            "a thread may hold the interpreter in native code: pause_execution says so",
        )
    parts = [report.get("data") or {} for report in session.findings.reports]
    if failed := next((part["error"] for part in parts if "error" in part), None):
        raise AdapterError(f"looking at the threads failed: {failed}", "call list_threads and get_stack_trace")
    return Seen([row for part in parts for row in part["threads"]], [row for part in parts for row in part["tasks"]])


def _told(seen: Seen) -> dict[str, Any]:
    threads = grouped(seen.threads, seen.unit) if seen.grouped else seen.threads
    told: dict[str, Any] = {"verdict": verdict(seen)}
    told["threads"] = [_row(row, seen.threads) for row in threads[:MOST]]
    told["tasks"] = [_row(row, seen.tasks) for row in seen.tasks[:MOST]]
    notes = list(filter(None, seen.notes))
    if len(threads) > MOST or len(seen.tasks) > MOST:
        what = f"{len(threads)} places of {seen.unit}s" if seen.grouped else f"{len(threads)} threads"
        tasks = f" and {len(seen.tasks)} tasks" if seen.tasks else ""
        notes.insert(0, f"of {what}{tasks} the first {MOST} are listed")
    if seen.unseen:
        notes.append(f"about {seen.unseen} more {seen.unit}s were not looked at: the engine lists no more")
    return told | ({"note": "; ".join(notes)} if notes else {})


def _row(row: Row, others: Sequence[Row]) -> dict[str, Any]:
    told: dict[str, Any] = {"name": row["name"], "at": place(row)}
    if row.get("busy", 0) > 0:
        told["busy"] = row["busy"]
    told |= {"state": row["state"]} if "state" in row else {}
    if said := waiting_for(row, others):
        more = row["wait"].get("detail")
        told["waits"] = str(redact.text(said + (f" ({more} to go)" if more else "")))
    if held := row.get("held"):
        told["holds"] = ", ".join(f"`{one['lock']}`" for one in held.values())
    stack = [place(frame) for frame in row.get("stack") or ()][1:4]
    if stack:
        told["calledFrom"] = " < ".join(stack)
    return told
