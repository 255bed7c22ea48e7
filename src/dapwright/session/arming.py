"""Breakpoints of a session: make every connection's engine agree with the ledger."""

import asyncio
from collections.abc import Iterable

from dapwright import files
from dapwright.core import protocol as dap
from dapwright.core.addresses import address_of
from dapwright.core.errors import AdapterError, NotSupported
from dapwright.core.ledger import Keeps, Record
from dapwright.session import functions, notices, probing, settling, values
from dapwright.session.connection import Connection
from dapwright.session.session import Session

TRACE_SECONDS = 30.0
"""How long an engine may take to set the breakpoints of hundreds of functions."""


def keeps(session: Session, connection: Connection) -> Keeps:
    """What this engine does with a breakpoint itself: what it advertises, less what it is known to ignore."""
    can, ignores = connection.capabilities, session.adapter.accepts_and_ignores
    return Keeps(
        conditions=bool(can.supports_conditional_breakpoints) and "conditions" not in ignores,
        condition=session.adapter.condition,
        logs=session.adapter.one_meaning and bool(can.supports_log_points) and "logpoints" not in ignores,
        one_meaning=session.adapter.one_meaning,
        hit_condition=session.adapter.hit_condition
        if can.supports_hit_conditional_breakpoints and "hitConditions" not in ignores
        else None,
        hits_with_condition="hitsWithCondition" in session.adapter.modes,
        instrument=probing.instrument(session) if connection.instrumented else None,
    )


async def configure(session: Session, connection: Connection) -> None:
    """Give a new connection every breakpoint and exception filter, before its program runs."""
    await probing.prepare(session, connection)
    await values.prepare(session, connection)
    keep = keeps(session, connection)
    settling.widen(session, session.ledger)
    work = [settling.sync(session, connection, file, keep) for file in session.ledger.files()]
    if session.ledger.of_kind("function"):
        work.append(_functions(session, connection, keep))
    if session.ledger.of_kind("watch"):
        work.append(connection.sync_watches(session.ledger))
    work.append(_exceptions(session, connection))
    if session.tracing is not None and connection is session.main:
        work.append(_trace(session, connection))
    await asyncio.gather(*work)
    notices.refused(session, connection.number)


async def _functions(session: Session, connection: Connection, keep: Keeps) -> None:
    """Have the engine stop in functions by name; those that it takes no name for are found by us, line by line."""
    await connection.sync_functions(session.ledger, keep)
    if session.adapter.function_breakpoints != "either":
        return
    found = list[Record]()
    for record in session.ledger.of_kind("function"):
        said = record.said.get(connection.number)
        if said is None or said.verified or record.places or address_of(record.function):
            continue
        functions.resolve_function(session, record)
        found += [record] if record.places else []
        if record.warning and not record.hidden:
            session.warnings.append(f"{record.id} `{record.function}`: {record.warning}")
    if found:
        await connection.sync_functions(session.ledger, keep)
        for file in dict.fromkeys(file for record in found for file, _ in record.lines()):
            await settling.sync(session, connection, file, keep)


async def _trace(session: Session, connection: Connection) -> None:
    """Have the engine tell every call of the functions in focus.

    Raises:
        NotSupported: the engine that was chosen cannot.
    """
    if not connection.capabilities.supports_dapwright_trace:
        raise NotSupported(
            f"calls cannot be traced through this engine ({session.adapter.engine})",
            "use investigate with function probes",
        )
    await connection.client.ask(dap.TRACE, session.tracing, TRACE_SECONDS)


async def _exceptions(session: Session, connection: Connection) -> None:
    plan, adapter = session.plan, session.adapter
    wanted = (
        session.launch.exceptions if session.launch else session.attachment.exceptions if session.attachment else "none"
    )
    filters = plan.exception_filters if plan and plan.exception_filters is not None else None
    if session.test_command is not None and session.test_command.filters is not None:
        filters = session.test_command.filters  # they stop where the runner catches the failure
    if filters is None:
        filters = adapter.exception_filters.get(wanted if isinstance(wanted, str) else "named", ())
    await connection.sync_exceptions(filters, plan.exception_options if plan else ())


async def apply(session: Session, records: Iterable[Record]) -> None:
    """Tell every configured connection about changed records, all connections at once."""
    records = list(records)
    settling.widen(session, records)
    touched = list(dict.fromkeys(file for record in records for file, _ in record.lines()))
    kinds = {record.kind for record in records if not record.places}
    await apply_files(session, touched, functions="function" in kinds, watches="watch" in kinds)


async def apply_files(
    session: Session, touched: Iterable[str], *, functions: bool = False, watches: bool = False
) -> None:
    """Send the present breakpoints of these files, and the function and data breakpoints where they changed."""
    work = []
    for connection in session.connections.values():
        if not connection.initialized.is_set() or connection.over:
            continue
        keep = keeps(session, connection)
        work += [settling.sync(session, connection, file, keep) for file in touched]
        if functions:
            work.append(_functions(session, connection, keep))
        if watches:
            work.append(connection.sync_watches(session.ledger))
    failures = [r for r in await asyncio.gather(*work, return_exceptions=True) if isinstance(r, BaseException)]
    for number in session.connections:
        notices.refused(session, number)
    for failure in failures:
        if isinstance(failure, AdapterError) or len(failures) == len(work):
            raise failure


def same_file(session: Session, path: str, other: str) -> bool:
    """Two spellings of one file."""
    return path == other or files.same(path, other)
