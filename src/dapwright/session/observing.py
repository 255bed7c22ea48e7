"""A probe in a program that holds no code of ours: at each stop there we look, and go on."""

from dapwright.core.errors import DapwrightError
from dapwright.core.ledger import Record
from dapwright.core.probes import Probe
from dapwright.session import probing, values
from dapwright.session.connection import Stop
from dapwright.session.session import Session

FALSE = frozenset({"", "''", "undef", "0", "false", "none", "null", "nil", "undefined", "0.0", "no"})


def is_true(shown: str) -> bool:
    """Whether a condition's value, as an engine shows it, means true."""
    return shown.strip().lower() not in FALSE


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
        done = await _value(stop, session.adapter.assignment.format(name, text))
        captured[f"set {name}"] = done if done.startswith("<error: ") else await _value(stop, name)
    frames = await stop.connection.frames(stop, 1)
    message = {"hit": hit, "values": captured, "line": frames[0].line, "function": frames[0].name}
    probing.add_row(session, record, process, {**message, "thread": stop.thread})
    return probe.hold and hit >= (probe.most or 1)


async def _holds(session: Session, stop: Stop, record: Record, probe: Probe, process: int) -> bool:
    if not record.condition:
        return True
    try:
        if is_true((await values.evaluate_top(stop, record.condition)).result):
            return True
    except DapwrightError as failure:
        probing.failed(session, record, "condition", str(failure))
    probe.count(process, true=False)
    return False


async def _value(stop: Stop, text: str) -> str:
    try:
        return (await values.evaluate_top(stop, text)).result
    except DapwrightError as failure:
        return f"<error: {failure}>"
