"""A probe in a program that holds no code of ours: at each stop there we look, and go on."""

from dapwright.core import protocol as dap
from dapwright.core.errors import AdapterError, DapwrightError
from dapwright.core.ledger import Record
from dapwright.core.probes import Probe
from dapwright.session import notices, probing, values
from dapwright.session.connection import Connection, Stop
from dapwright.session.session import Session

FALSE = frozenset({"", "''", "undef", "0", "false", "none", "null", "nil", "undefined", "0.0", "no"})


def is_true(shown: str) -> bool:
    """Whether a condition's value, as an engine shows it, means true."""
    return shown.strip().lower() not in FALSE


async def holds(session: Session, stop: Stop, condition: str) -> bool:
    """Evaluate a condition where the program stands.

    Raises:
        DapwrightError: it failed, in the engine's words.
    """
    if not session.adapter.truth:
        return is_true((await values.evaluate_top(stop, condition)).result)
    asked = session.adapter.truth.replace("{0}", " ".join(condition.split()))
    said = (await values.evaluate_top(stop, asked)).result.strip()
    if said in ("true", "false"):
        return said == "true"
    raise AdapterError(said or "it failed without a word")


async def look(session: Session, stop: Stop, record: Record, probe: Probe) -> bool:
    """Capture what a probe asks for; tell whether the program should stand."""
    process = stop.connection.process_id or stop.connection.number
    if not await _holds(session, stop, record, probe, process):
        return False
    hit = probe.count(process, true=True)
    record.hits += 1
    if probe.quiet or (probe.most and hit > probe.most):
        return False
    captured = {text: await _value(stop, text) for text in probe.capture}
    for name, text in probe.change.items():
        captured[f"set {name}"] = await _changed(session, stop, name, text)
    frames = await stop.connection.frames(stop, 1)
    message = {"hit": hit, "values": captured, "line": frames[0].line, "function": frames[0].name}
    message["file"] = frames[0].file
    probing.add_row(session, record, process, {**message, "thread": stop.thread})
    return probe.hold and hit >= (probe.most or 1)


async def _holds(session: Session, stop: Stop, record: Record, probe: Probe, process: int) -> bool:
    if not record.condition:
        return True
    try:
        if await holds(session, stop, record.condition):
            return True
    except DapwrightError as failure:
        notices.failed(session, record, str(failure))
    probe.count(process, true=False)
    return False


async def _value(stop: Stop, text: str) -> str:
    try:
        return (await values.evaluate_top(stop, text)).result
    except DapwrightError as failure:
        return f"<error: {failure}>"


async def _changed(session: Session, stop: Stop, name: str, text: str) -> str:
    """Give a name a new value by the best means that the engine has; what it is now."""
    connection = stop.connection
    can, frames = connection.capabilities, await connection.frames(stop, 1)
    try:
        if can.supports_set_expression:
            said = {"expression": name, "value": text, "frameId": frames[0].id}
            await connection.client.ask(dap.SET_EXPRESSION, said)
        elif can.supports_set_variable and (holder := await _holder(connection, frames[0].id, name)) is not None:
            value = (await values.evaluate_top(stop, text)).result
            said = {"variablesReference": holder, "name": name, "value": value}
            await connection.client.ask(dap.SET_VARIABLE, said)
        else:
            await values.evaluate_top(stop, session.adapter.assignment.format(name, text))
        return (await values.evaluate_top(stop, name)).result
    except DapwrightError as failure:
        return f"<error: {failure}>"


async def _holder(connection: Connection, frame: int, name: str) -> int | None:
    """The scope that holds a variable of that name."""
    for scope in (await connection.client.ask(dap.SCOPES, {"frameId": frame})).scopes:
        if not scope.expensive:
            body = await connection.client.ask(dap.VARIABLES, {"variablesReference": scope.variables_reference})
            if any(one.name == name for one in body.variables):
                return int(scope.variables_reference)
    return None
