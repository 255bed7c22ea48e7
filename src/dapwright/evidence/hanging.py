"""Why nothing moves: what each thread and task waits for, who holds it, and where that goes round."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dapwright.core import protocol as dap
from dapwright.core import redact, state
from dapwright.core.errors import AdapterError, NotSupported
from dapwright.core.model import Raw
from dapwright.core.waits import cycles, waiting_for
from dapwright.evidence import stacks, standing_still
from dapwright.session import Session, probing
from dapwright.session.values import ask_value

LOOK_SECONDS = 10.0
MOST = 30


class Waits(msgspec.Struct, rename="camel"):
    """What an engine of ours tells of a program's threads."""

    threads: list[dict[str, Any]] = []
    paused: bool = False
    looks: int = 1
    note: str = ""


MONITORS = dap.Request("dapwright/monitors", Waits)


async def explain(session: Session) -> dict[str, Any]:
    """Look at every process of the program.

    Raises:
        NotSupported: no code of ours can look at this language's threads.
        AdapterError: the program did not answer: its interpreter itself stands still.
    """
    state.require(session.state, "list threads")
    adapter = session.adapter
    if adapter.tells_waits:
        return await _asked(session)
    if adapter.explains_hangs:
        rows, note = await standing_still.look(session)
        return {"sessionId": session.id, "state": session.state, "note": note} | _told(rows, [])
    if adapter.stacks is not None:
        return await stacks.explain(session, adapter.stacks)
    if adapter.inside is None:
        raise NotSupported(
            f"{adapter.display_name} programs cannot be asked what they wait for here",
            "call pause_execution, then list_threads and get_stack_trace for each",
        )
    endpoint = await probing.open_endpoint(session)
    session.findings.reports.clear()
    living = [c for c in session.connections.values() if not c.over and c.configured]
    for connection in living:
        await ask_value(
            connection, None, adapter.inside.hang(session.host, endpoint.port, endpoint.nonce), seconds=LOOK_SECONDS
        )
    await session.until(lambda: len(session.findings.reports) >= len(living), LOOK_SECONDS)
    if not session.findings.reports:
        raise AdapterError(
            "the program did not look at its threads in time",
            "a thread may hold the interpreter in native code: pause_execution says so",
        )
    told: dict[str, Any] = {"sessionId": session.id, "state": session.state}
    parts = [report.get("data") or {} for report in session.findings.reports]
    if failed := next((part["error"] for part in parts if "error" in part), None):
        raise AdapterError(f"looking at the threads failed: {failed}", "call list_threads and get_stack_trace")
    told["next"] = (
        "get_stack_trace {threadId} shows how one came there"
        if session.state == "paused"
        else "pause_execution, to look at the values of where it stands"
    )
    return told | _told([row for p in parts for row in p["threads"]], [row for p in parts for row in p["tasks"]])


async def _asked(session: Session) -> dict[str, Any]:
    """Ask the engine itself."""
    living = [c for c in session.connections.values() if not c.over and c.configured]
    said = [await connection.client.ask(MONITORS, {}, LOOK_SECONDS) for connection in living]
    told: dict[str, Any] = {"sessionId": session.id, "state": session.state}
    told |= _told([row for one in said for row in one.threads], [], paused=any(one.paused for one in said))
    if notes := [told.pop("note", ""), *(one.note for one in said)]:
        told |= {"note": "; ".join(filter(None, notes))} if any(notes) else {}
    return told


def _told(
    threads: Sequence[Mapping[str, Any]], tasks: Sequence[Mapping[str, Any]], *, paused: bool = False
) -> dict[str, Any]:
    found = cycles(threads) + cycles(tasks)
    busy = [row for row in threads if row.get("busy", 0) > 0 or row.get("ran")]
    ran = [row for row in threads if paused and row.get("state") == "running" and not row.get("wait")]
    told: dict[str, Any] = {}
    if found:
        told["verdict"] = "deadlock: " + "; ".join(found)
    elif busy:
        told["verdict"] = "busy, not waiting: " + ", ".join(
            f"{row['name']} at {_short(row)} ({_work(row)})" for row in busy
        )
    elif ran:
        places = ", ".join(f"{row['name']} at {_short(row)}" for row in ran)
        told["verdict"] = f"no cycle was found; the program is paused, and these ran when it was: {places}"
    else:
        told["verdict"] = "no cycle was found, and nothing is busy: it waits for what is listed"
    told["threads"] = [_row(row, threads) for row in threads[:MOST]]
    told["tasks"] = [_row(row, tasks) for row in tasks[:MOST]]
    if len(threads) > MOST or len(tasks) > MOST:
        told["note"] = f"of {len(threads)} threads and {len(tasks)} tasks the first {MOST} are listed"
    return told


def _work(row: Mapping[str, Any]) -> str:
    """How a thread is known to be busy."""
    if row.get("ran"):
        return f"it ran code at each of {row['ran']} looks"
    return f"it used {row['busy']:.0%} of a processor"


def _row(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    told = {"name": row["name"], "at": _short(row)}
    if row.get("busy", 0) > 0:
        told["busy"] = row["busy"]
    told |= {"state": row["state"]} if "state" in row else {}
    if said := waiting_for(row, others):
        told["waits"] = str(redact.value("", Raw(said)))
    if held := row.get("held"):
        told["holds"] = ", ".join(f"`{one['lock']}`" for one in held.values())
    stack = [_short(frame) for frame in row.get("stack") or ()][1:4]
    if stack:
        told["calledFrom"] = " < ".join(stack)
    return told


def _short(row: Mapping[str, Any]) -> str:
    return f"{row.get('function', '?')} {str(row.get('file', '?')).rsplit('/', 1)[-1]}:{row.get('line', '?')}"
