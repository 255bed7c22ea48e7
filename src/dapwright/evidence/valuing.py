"""Who wrote a value last, and from what: by running again with probes on the assignments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dapwright.core import assignments, redact
from dapwright.core.assignments import Write
from dapwright.core.errors import NotSupported
from dapwright.core.model import Frame, Raw
from dapwright.evidence import investigation, testing
from dapwright.evidence.investigation import Asked, Investigation
from dapwright.session import Session, looking, values
from dapwright.session.placing import Wanted

SECONDS = 35.0
HERE = "here"
CHAIN = 12


@dataclass(slots=True)
class Question:
    """A value at a stop, and the statements that may have written it."""

    expression: str
    value: str
    frame: Frame
    writes: list[Write] = field(default_factory=list[Write])
    parameters: tuple[str, ...] = ()
    cannot: str = ""

    def told(self) -> dict[str, Any]:
        """What is known without running again."""
        said: dict[str, Any] = {"expression": self.expression, "value": self.value}
        said["way"] = "by the syntax tree alone"
        said["candidates"] = [{"line": w.line, "function": w.function, "statement": w.statement} for w in self.writes]
        return {**said, "message": self.cannot}


async def ask(session: Session, expression: str) -> Question:
    """Look at the value where the program stands, and for the statements that assign it.

    Raises:
        NotSupported: the language's assignments are not known to us.
    """
    if session.adapter.language != "python":
        raise NotSupported(
            f"assignments of {session.adapter.display_name} are not searched for here",
            "set a breakpoint with `watch` where the engine has data breakpoints, or investigate with probes",
        )
    connection, frame, _ = await looking.top_frame(session)
    values.refuse_empty(expression)
    session.adapter.refuse_writes(expression)
    await session.effects([("evaluate", expression)])
    shown = await values.evaluate(session, connection, frame, expression, seconds=10.0)
    asked = Question(expression, str(redact.value(expression, Raw(shown.result))), frame)
    text = session.host.read(frame.file)
    try:
        asked.writes = assignments.writes(text, expression, frame.line)
        asked.parameters = assignments.parameters(text, frame.line)
    except SyntaxError:
        asked.cannot = f"`{frame.file}` cannot be read as Python now"
    if session.launch is None:
        asked.cannot = "the program was attached to and cannot be run again: these statements may have written it"
    elif not asked.writes and not asked.cannot:
        passed = expression.split(".")[0] in asked.parameters
        asked.cannot = (
            "no statement of the function assigns it: it was passed in; see the caller's frame (get_stack_trace)"
            if passed
            else "no statement that assigns it was found in this file"
        )
    return asked


async def place(session: Session, again: Session, asked: Question) -> Investigation:
    """Prepare the second run: probes on every assignment, and one where the first run stands."""
    if session.test_command is not None:
        again.launch = await testing.launch_of(again, session.test_command, stop=False)
    else:
        again.launch = session.launch
    file, probes = asked.frame.file, []
    for write in asked.writes:
        capture = [write.target, *write.inputs, *([f"id({write.base})"] if write.base else [])]
        probes.append(Asked(Wanted(file=file, line=write.line), f"{write.line} {write.target}", tuple(capture)))
    base = asked.expression.rpartition(".")[0]
    capture = [asked.expression, *([f"id({base})"] if base else [])]
    probes.append(Asked(Wanted(file=file, line=asked.frame.line), HERE, tuple(capture)))
    records = await investigation.place(again, probes, hold=False, fresh=True)
    return Investigation(records, {}, SECONDS)


def answer(again: Session, asked: Question) -> dict[str, Any]:
    """The last write before the stop, and the chain of its inputs."""
    rows = again.findings.rows
    end = _where(rows, asked)
    told: dict[str, Any] = {"expression": asked.expression, "value": asked.value}
    told["way"] = f"ran the program again with probes on {len(asked.writes)} assignments"
    if end is None:
        told["message"] = "the second run did not come to the same place with the same value: it cannot be known"
        told["candidates"] = asked.told()["candidates"]
        return told
    chain = _chain(rows, end, asked)
    if not chain:
        told["message"] = "none of the assignments ran before the stop; it was set elsewhere"
        return told
    told["lastWrite"], told["chain"] = chain[0], chain[1:]
    if again.state not in investigation.ENDED:
        told["note"] = "the second run was cut by its time limit"
    return told


def _where(rows: Sequence[Mapping[str, Any]], asked: Question) -> int | None:
    """The last row at the stop's own line that shows the same value; else, after the stop crashed, the end."""
    here = [index for index, row in enumerate(rows) if row["probe"] == HERE]
    same = [index for index in here if _same(rows[index]["values"].get(asked.expression), asked.value)]
    if not same:
        return None
    end = same[-1]
    while end and rows[end - 1]["line"] == rows[same[-1]]["line"] and rows[end - 1]["probe"] != HERE:
        end -= 1  # an assignment on the very line of the stop: it has not run yet
    return end


UNSET = ("<error: NameError", "<error: UnboundLocalError", "<error: AttributeError")
"""How a name that had no value before its assignment shows."""


def _same(one: str | None, other: str) -> bool:
    return one is not None and (one == other or one.split(" at 0x")[0] == other.split(" at 0x")[0])


def _chain(rows: Sequence[Mapping[str, Any]], end: int, asked: Question) -> list[dict[str, Any]]:
    """From the value back to what it was made of: each the last write before the one that read it."""
    by_probe = {f"{write.line} {write.target}": write for write in asked.writes}
    base = asked.expression.rpartition(".")[0]
    here = next(row for row in rows[end:] if row["probe"] == HERE)
    owner = here["values"].get(f"id({base})") if base else None
    wanted: list[tuple[str, int, str]] = [(assignments.root_of(asked.expression), end, asked.value)]
    chain: list[dict[str, Any]] = []
    seen: set[int] = set()
    while wanted and len(chain) < CHAIN:
        target, before, value = wanted.pop(0)
        found = _last(rows, by_probe, target, before, owner if not chain else None)
        if found is None or found in seen:
            continue
        seen.add(found)
        row, write = rows[found], by_probe[rows[found]["probe"]]
        inputs = {name: row["values"].get(name, "?") for name in write.inputs}
        step: dict[str, Any] = {"target": write.target, "became": value}
        if not (was := row["values"].get(write.target, "?")).startswith(UNSET):
            step["was"] = was
        step |= {"line": write.line, "function": write.function, "statement": write.statement, "from": inputs}
        chain.append(step)
        wanted += [(name, found, text) for name, text in inputs.items()]
    return chain


def _last(
    rows: Sequence[Mapping[str, Any]], by_probe: Mapping[str, Write], target: str, before: int, owner: str | None
) -> int | None:
    attribute = target.rsplit(".", 1)[-1] if "." in target else ""
    for index in range(before - 1, -1, -1):
        write = by_probe.get(rows[index]["probe"])
        if write is None:
            continue
        matches = write.target.rsplit(".", 1)[-1] == attribute if attribute and write.base else write.target == target
        if matches and (owner is None or rows[index]["values"].get(f"id({write.base})") in (owner, None)):
            return index
    return None
