"""Who wrote a native value last: asked of gdb's recording, where the program has one."""

from typing import Any

from dapwright.core import protocol as dap
from dapwright.core import redact
from dapwright.core.bodies import Body
from dapwright.core.errors import AdapterError, NotSupported
from dapwright.core.model import Raw
from dapwright.session import Session, looking, running

SECONDS = 40.0
UNRECORDED = "nothing is recorded"


class Written(Body):
    """What `dapwright/lastWrite` answers."""

    value: str = ""
    type: str = ""
    write: dict[str, Any] | None = None


LAST_WRITE = dap.Request("dapwright/lastWrite", Written)


async def explain(session: Session, expression: str) -> dict[str, Any]:
    """The last write of a value before this stop, and what it was made of.

    Raises:
        NotSupported: the program is not recorded; the hint says how it would be.
        AdapterError: the value has no place, or cannot be read here.
    """
    running.refuse_post_mortem(session)
    connection, frame, _ = await looking.top_frame(session)
    try:
        body = await connection.client.ask(LAST_WRITE, {"expression": expression, "frameId": frame.id}, SECONDS)
    except AdapterError as refused:
        if UNRECORDED not in str(refused):
            raise
        raise NotSupported(
            f"who wrote `{expression}` last cannot be known: the program is not recorded",
            "run it again with start_debugging {record: true}, or from an earlier stop on with the tool `record` "
            "(--toolset native); else set a breakpoint with `watch` and restart",
        ) from None
    told: dict[str, Any] = {"expression": expression, "value": _safe(expression, body.value)}
    told["way"] = "went back through gdb's recording to the last write of its place in memory"
    if body.write is None:
        return {**told, "message": "nothing in the recording wrote it: it is older than the recording's begin"}
    write = body.write
    read = {name: _safe(name, str(text)) for name, text in (write.get("from") or {}).items()}
    last = {"target": expression, "became": told["value"], "was": _safe(expression, str(write.get("was", "")))}
    place = {key: write[key] for key in ("file", "line", "function", "statement") if write.get(key)}
    return {**told, "lastWrite": {**last, **place, "from": read}}


def _safe(name: str, text: str) -> str:
    return str(redact.value(name, Raw(text)))
