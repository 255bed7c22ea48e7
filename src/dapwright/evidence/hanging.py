"""Why nothing moves: what each thread and task waits for, who holds it, and where that goes round."""

from collections.abc import Mapping, Sequence
from typing import Any

from dapwright.core import redact, state
from dapwright.core.errors import AdapterError, NotSupported
from dapwright.core.model import Raw
from dapwright.core.waits import cycles, waiting_for
from dapwright.evidence import stacks
from dapwright.session import Session, probing
from dapwright.session.values import ask_value

LOOK_SECONDS = 10.0
MOST = 30


async def explain(session: Session) -> dict[str, Any]:
    """Look at every process of the program.

    Raises:
        NotSupported: no code of ours can look at this language's threads.
        AdapterError: the program did not answer: its interpreter itself stands still.
    """
    state.require(session.state, "list threads")
    adapter = session.adapter
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
    return told | _told([row for p in parts for row in p["threads"]], [row for p in parts for row in p["tasks"]])


def _told(threads: Sequence[Mapping[str, Any]], tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found = cycles(threads) + cycles(tasks)
    busy = [row for row in threads if row.get("busy", 0) > 0]
    told: dict[str, Any] = {}
    if found:
        told["verdict"] = "deadlock: " + "; ".join(found)
    elif busy:
        places = ", ".join(f"{row['name']} at {_short(row)} (it used {row['busy']:.0%} of a processor)" for row in busy)
        told["verdict"] = f"busy, not waiting: {places}"
    else:
        told["verdict"] = "no cycle was found, and nothing is busy: it waits for what is listed"
    told["threads"] = [_row(row, threads) for row in threads[:MOST]]
    told["tasks"] = [_row(row, tasks) for row in tasks[:MOST]]
    if len(threads) > MOST or len(tasks) > MOST:
        told["note"] = f"of {len(threads)} threads and {len(tasks)} tasks the first {MOST} are listed"
    return told


def _row(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    told = {"name": row["name"], "at": _short(row)}
    if row.get("busy", 0) > 0:
        told["busy"] = row["busy"]
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
