"""Who wrote a value last, and from what: by running again with probes on the assignments."""

import ast
import json
import os
from dataclasses import dataclass
from typing import Any

from dapwright.core import assignments, lineage, redact
from dapwright.core.assignments import Search
from dapwright.core.errors import DapwrightError, NotSupported, UsageError
from dapwright.core.model import Frame, Raw
from dapwright.core.scopes import Program
from dapwright.evidence import investigation, testing
from dapwright.evidence.investigation import Asked, Investigation
from dapwright.session import Session, looking, values
from dapwright.session.connection import Connection
from dapwright.session.placing import Wanted

SECONDS = 35.0
FILES, CHARACTERS = 200, 400_000
"""Files of a program that are read, and how long one may be."""
LOOK_SECONDS = 5.0
ROWS = 3000
"""Rows of one statement that are kept: a loop that goes on and on must not flood."""


@dataclass(slots=True)
class Question:
    """A value at a stop, and the statements that may have written it."""

    expression: str
    value: str
    frame: Frame
    program: Program
    found: Search | None = None
    cannot: str = ""

    @property
    def root(self) -> str:
        """The name or attribute that is asked for."""
        return assignments.root_of(self.expression)

    def told(self) -> dict[str, Any]:
        """What is known without running again."""
        said: dict[str, Any] = {"expression": self.expression, "value": self.value}
        said["way"] = "by the syntax tree alone"
        said["candidates"] = self.candidates()
        return {**said, "message": self.cannot}

    def candidates(self) -> list[dict[str, Any]]:
        """The statements that give the value itself."""
        mine = [w for w in self.found.writes if w.gives == self.found.wanted] if self.found else []
        rows = [
            {"file": w.scope.file, "line": w.line, "function": w.scope.name, "statement": w.statement} for w in mine
        ]
        return [row if row["file"] != self.frame.file else {**row, "file": None} for row in rows[:20]]


async def ask(session: Session, expression: str) -> Question:
    """Look at the value where the program stands, and for the statements that assign it.

    Raises:
        NotSupported: the language's assignments are not known to us.
        UsageError: it is no name, attribute or item.
    """
    if session.adapter.language != "python":
        raise NotSupported(
            f"assignments of {session.adapter.display_name} are not searched for here",
            "set a breakpoint with `watch` where the engine has data breakpoints, or investigate with probes",
        )
    if not assignments.root_of(expression):
        raise UsageError(
            f"`{expression}` is no name, attribute or item: nothing assigns it",
            "pass one of the names in it, or read it with evaluate_expression",
        )
    connection, frame, _ = await looking.top_frame(session)
    values.refuse_empty(expression)
    session.adapter.refuse_writes(expression)
    await session.effects([("evaluate", expression)])
    shown = await values.evaluate(session, connection, frame, expression, seconds=10.0)
    program = Program(await _texts(session, connection, frame))
    asked = Question(expression, str(redact.value(expression, Raw(shown.result))), frame, program)
    if frame.file not in program.files:
        asked.cannot = f"`{frame.file}` cannot be read as Python now"
        return asked
    asked.found = assignments.search(program, expression, frame.file, frame.line)
    if session.launch is None:
        asked.cannot = "the program was attached to and cannot be run again: these statements may have written it"
    elif not asked.candidates():
        asked.cannot = _why_none(asked)
    return asked


def _why_none(asked: Question) -> str:
    scope = asked.program.scope_at(asked.frame.file, asked.frame.line)
    if asked.root in asked.program.parameters(scope):
        return (
            f"`{asked.root}` was handed to `{scope.name}` by code that is not the program's, or by its default: "
            "get_stack_trace {includeInternals: true} shows the caller"
        )
    return f"no statement of the {len(asked.program.files)} files that were read assigns it"


async def _texts(session: Session, connection: Connection, frame: Frame) -> dict[str, str]:
    """The sources of the program's own modules that are loaded, the stop's own file first."""
    files = [frame.file, *(one.file for stop in session.stops for one in stop.frames or () if one.file)]
    try:
        told = await values.evaluate(session, connection, frame, session.adapter.sources, seconds=LOOK_SECONDS)
        files += json.loads(ast.literal_eval(told.result))
    except (DapwrightError, ValueError, SyntaxError):
        pass  # what stands on the stack is enough to begin with
    internal = session.adapter.internal_frame
    texts: dict[str, str] = {}
    for file in dict.fromkeys(files):
        if len(texts) >= FILES or internal(Frame(0, "", file, 0)) or not os.path.isfile(file):
            continue
        try:
            text = session.host.read(file)
        except (OSError, ValueError, DapwrightError):
            continue
        if len(text) <= CHARACTERS:
            texts[file] = text
    return texts


async def place(session: Session, again: Session, asked: Question) -> Investigation:
    """Prepare the second run: probes on every statement, and one where the first run stands."""
    if session.test_command is not None:
        again.launch = await testing.launch_of(again, session.test_command, stop=False)
    else:
        again.launch = session.launch
    assert asked.found is not None
    probes = [
        Asked(Wanted(file=write.scope.file, line=write.line), str(index), lineage.captures(write), ROWS)
        for index, write in enumerate(asked.found.writes)
    ]
    here = lineage.captures_here(asked.expression, asked.root)
    probes.append(Asked(Wanted(file=asked.frame.file, line=asked.frame.line), lineage.HERE, here))
    records = await investigation.place(again, probes, hold=False, fresh=True)
    return Investigation(records, {}, SECONDS)


def answer(again: Session, asked: Question) -> dict[str, Any]:
    """The last write before the stop, and the chain of its inputs."""
    found = asked.found
    assert found is not None
    told: dict[str, Any] = {"expression": asked.expression, "value": asked.value}
    told["way"] = _way(found)
    traced = lineage.trace(
        found,
        again.findings.rows,
        asked.program,
        expression=asked.expression,
        root=asked.root,
        value=asked.value,
    )
    if traced is None:
        told["message"] = "the second run did not come to the same place with the same value: it cannot be known"
        return {**told, "candidates": asked.candidates()}
    if not traced.links:
        told["message"] = "none of its assignments ran before the stop; it was set elsewhere, or before the first line"
        return {**told, "candidates": asked.candidates(), "unknown": traced.unknown}
    links = [_brief(link, asked.frame.file) for link in traced.links]
    told["lastWrite"], told["chain"], told["unknown"] = links[0], links[1:], traced.unknown
    if found.cut:
        told["note"] = f"of the statements behind it {len(found.writes)} were looked at; the chain may end early"
    if again.state not in investigation.ENDED:
        told["note"] = "the second run was cut by its time limit"
    told["next"] = "investigate {probes} on the first line above whose value is wrong shows every pass of it"
    return told


def _way(found: Search) -> str:
    files = len({write.scope.file for write in found.writes})
    kinds = [
        f"{count} {word}{'s' * (count != 1)}"
        for word, hows in (
            ("assignment", ("assigned", "element", "loop")),
            ("argument", ("argument",)),
            ("return", ("returned",)),
        )
        if (count := sum(write.how in hows for write in found.writes))
    ]
    return f"ran the program again with probes on {', '.join(kinds)}" + (f" in {files} files" if files > 1 else "")


def _brief(link: dict[str, Any], file: str) -> dict[str, Any]:
    """A link as it is told: the file where it is another than the stop's, `how` where the statement does not say it."""
    told = dict(link)
    if told["file"] == file:
        told["file"] = None
    if told["how"] in ("assigned", "loop"):
        told["how"] = None
    return told
