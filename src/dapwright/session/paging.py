"""Pages of a large container: by the engine's paging, by slices, or item by item."""

import asyncio
import re
from collections.abc import Sequence

import msgspec

from dapwright.core.adapter import Items
from dapwright.core.errors import AdapterError
from dapwright.core.handles import Target
from dapwright.core.model import Raw, Variable
from dapwright.session.connection import Connection
from dapwright.session.looking import Page, children, connection_of, hidden
from dapwright.session.session import Session
from dapwright.session.values import EVALUATE_SECONDS, ask_value, index_of

SHOWN = 300
"""Items that are shown where no page is asked for."""
ASKED = 100
"""Items that one call may ask for beyond what the engine shows at once."""
AT_ONCE = 50
"""Requests under way: CodeLLDB (1.11.8) is stuck for ever with a hundred."""
PATH = re.compile(r"[\w.:]+(->[\w.:]+|\[\d+\])*")
"""An expression that takes an index as it stands."""


async def page_of(
    session: Session, target: Target, *, start: int | None, count: int | None, only: str | None, seconds: float
) -> Page:
    """A page of a variable's children, by the engine's paging or by evaluating a slice."""
    connection = connection_of(session, target)
    if session.adapter.items_apart and target.size:
        return await _apart(connection, target, start=start, count=count, only=only, seconds=seconds)
    paged = start is not None or count is not None
    sliced = session.adapter.slices is not None and target.expression and only != "named"
    if paged and not session.adapter.paging and sliced:
        return await _slice(session, target, start or 0, count if count is not None else SHOWN)
    if not session.adapter.paging:
        found = await children(connection, target.engine_id, seconds=seconds)
        shown = [variable for variable in found if not hidden(variable) and only in (None, _kind(variable))]
        if len(shown) > SHOWN and sliced and not paged:
            return await _slice(session, target, 0, SHOWN)  # debugpy shows 300 and tells no total
        first = start or 0
        last = first + count if count is not None else len(shown)
        return Page(shown[first:last] if paged else shown, total=len(shown))
    if target.size and target.size > SHOWN and only != "named":
        start, count = start or 0, SHOWN if count is None else count
        items = await _one_by_one(session, target, range(start, min(start + count, target.size)), seconds)
        if items is not None:
            return Page(items, total=target.size)
    found = await children(connection, target.engine_id, start=start, count=count, only=only, seconds=seconds)
    return Page([variable for variable in found if not hidden(variable)], total=target.size)


async def _apart(
    connection: Connection, target: Target, *, start: int | None, count: int | None, only: str | None, seconds: float
) -> Page:
    """Items and what is no item, asked for apart.

    Together Delve (1.27) shows the first 64 items whatever page is asked for, and rdbg (1.4) none of an
    array's; past an array's end rdbg makes items up.
    """
    size, first = target.size or 0, start or 0
    last = min(size, first + (SHOWN if count is None else count))
    found: list[Variable] = []
    if only == "named" or (only is None and start is None and count is None):
        found = await children(connection, target.engine_id, only="named", seconds=seconds)
    attributes = [variable for variable in found if not hidden(variable)]
    if only == "named":
        return Page(attributes, total=len(attributes))
    if first < last:
        asked = {"start": first, "count": last - first}
        told = await children(connection, target.engine_id, **asked, only="indexed", seconds=seconds)
        found = [_placed(one, target.expression, at) for at, one in enumerate(told, first)]
    return Page(attributes + (found if first < last else []), total=size, attributes=len(attributes))


def _placed(item: Variable, container: str, at: int) -> Variable:
    """An item with the expression that names it, where its engine told none (rdbg)."""
    if item.evaluate_name or not container:
        return item
    return msgspec.structs.replace(item, evaluate_name=f"{container}[{at}]")


def _kind(variable: Variable) -> str:
    """`indexed` or `named`: engines that cannot page do not filter either."""
    return "named" if index_of(variable.name) is None else "indexed"


async def _one_by_one(session: Session, target: Target, wanted: range, seconds: float) -> list[Variable] | None:
    """Items asked for by their index, where the engine reads the whole container for each page; None: it must."""
    connection = connection_of(session, target)
    how: Items | None = connection.adapter.items
    if how is None or not target.expression:
        return None
    path = target.expression if PATH.fullmatch(target.expression) else f"({target.expression})"
    frame = session.handles.find("frame", target.frame, session.epochs).engine_id if target.frame else None
    names = [f"[{at}]" for at in wanted]
    try:
        told = []
        for first in range(0, len(names), AT_ONCE):
            told += await asyncio.gather(
                *(
                    ask_value(connection, frame, how.prefix + path + name, context=how.context, seconds=seconds)
                    for name in names[first : first + AT_ONCE]
                )
            )
    except AdapterError:  # no path to its items: it is the result of a call
        return None
    return [
        Variable(
            name=name,
            value=Raw(body.result),
            type=body.type or "",
            reference=body.variables_reference,
            evaluate_name="" if how.prefix else path + name,  # a path that is no expression cannot be read again
            indexed=body.indexed_variables,
        )
        for name, body in zip(names, told, strict=True)
    ]


async def held(session: Session, target: Target) -> list[Variable]:
    """What a container holds, the hidden too; the first items of one that its engine would read for too long."""
    connection = connection_of(session, target)
    adapter, size = connection.adapter, target.size or 0
    if (size and adapter.items_apart) or (size > SHOWN and adapter.items):
        return (await page_of(session, target, start=0, count=1, only=None, seconds=EVALUATE_SECONDS)).variables
    return await children(connection, target.engine_id)


async def complete(session: Session, target: Target, page: Page, names: Sequence[str]) -> None:
    """Add the items that are asked for by index and lie beyond what the engine shows at once."""
    indexes = [index_of(one.name) for one in page.variables]
    shown = {index for index in indexes if index is not None}
    if not shown:
        return  # no container of items: a name of digits is just not there
    for at in [index for index in map(index_of, names) if index is not None and index not in shown][:ASKED]:
        more = await page_of(session, target, start=at, count=1, only="indexed", seconds=EVALUATE_SECONDS)
        page.variables += [one for one in more.variables if index_of(one.name) == at]
        page.total = more.total


async def _slice(session: Session, target: Target, start: int, count: int) -> Page:
    """Page through an engine without paging: evaluate the slice, and name its items by their true index."""
    assert session.adapter.slices is not None
    connection = connection_of(session, target)
    frame = session.handles.find("frame", target.frame, session.epochs).engine_id if target.frame else None
    total_of, slice_of, name_of = session.adapter.slices
    total = await ask_value(connection, frame, total_of.format(target.expression))
    body = await ask_value(connection, frame, slice_of.format(target.expression, start, start + count))
    found = [v for v in await children(connection, body.variables_reference) if not hidden(v) and v.name != "len()"]
    renamed = [
        Variable(
            name=name_of.format(start + at) if one.name.isdigit() else one.name,
            value=one.value,
            type=one.type,
            reference=one.reference,
            evaluate_name=f"{target.expression}[{start + at}]" if one.name.isdigit() else one.evaluate_name,
            indexed=one.indexed,
        )
        for at, one in enumerate(found)
    ]
    return Page(renamed, total=int(total.result) if total.result.isdigit() else None)
