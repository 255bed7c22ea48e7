"""Run a program under our own tracer: its calls as a tree, and two runs side by side."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dapwright.core import redact, render
from dapwright.core.align import Difference, first_difference
from dapwright.core.calls import Call, flat, line_of, lines, tree
from dapwright.core.errors import NotSupported
from dapwright.core.model import Raw
from dapwright.evidence import testing
from dapwright.session import Session, ending, launching, probing
from dapwright.transport import signal_name

RUN_SECONDS = 40.0
TREE_CHARACTERS = 3500


@dataclass(slots=True)
class Traced:
    """What a traced run was."""

    calls: list[Call]
    seen: int
    dropped: int
    code: int | None
    output: str
    over: bool
    passed: bool | None

    def ends(self) -> dict[str, Any]:
        """How it ended, as fields of an answer."""
        told: dict[str, Any] = {"exitCode": self.code if self.code is None or self.code >= 0 else None}
        if self.code is not None and self.code < 0:
            told["signal"] = signal_name(-self.code)
        return told | {"testPassed": self.passed, "truncated": bool(self.dropped) or not self.over}


async def run(
    session: Session,
    *,
    focus: Sequence[str],
    depth: int = 0,
    most: int = 2000,
    only: int = 0,
    seconds: float = RUN_SECONDS,
) -> Traced:
    """Run a session's launch to its end under the tracer; what was told before a time limit is kept.

    Raises:
        NotSupported: no tracer knows the language.
    """
    adapter = session.adapter
    if adapter.inside is None or session.launch is None:
        raise NotSupported(
            f"calls of {adapter.display_name} programs cannot be traced here", "use investigate with function probes"
        )
    endpoint = await probing.open_endpoint(session)
    config = {"to": [endpoint.port, endpoint.nonce], "focus": list(focus), "depth": depth, "most": most, "only": only}
    program = await launching.start_program(session, adapter.inside.trace(session.launch, config, session.host), {})
    program.close_input()
    over = True
    try:
        await asyncio.wait_for(asyncio.shield(program.ended), seconds)
    except TimeoutError:
        over = False
    session.drain()
    code = program.ended.result() if over else None
    await ending.stop_processes(session)
    session.drain()
    found = session.findings
    passed = testing.passed(session) if session.launch.test else None
    return Traced(
        tree(found.calls), found.calls_seen, found.calls_dropped, code, session.transcript.text()[-1500:], over, passed
    )


def told(traced: Traced, *, fold: bool) -> dict[str, Any]:
    """The tree of a run as an answer."""
    for limit, terse in ((100, False), (100, True), (60, True), (40, True), (24, True), (16, True)):
        written = list(lines(traced.calls, fold=fold, limit=limit, terse=terse))
        if sum(map(len, written)) + len(written) <= TREE_CHARACTERS:
            break
    shown, left = ends_of(written, TREE_CHARACTERS)
    text = str(redact.value("", Raw("\n".join(shown))))
    answer: dict[str, Any] = {"tree": text, "calls": traced.seen, **traced.ends()}
    if left:
        answer |= {"truncated": True, "linesOmitted": left}
        answer["message"] = "narrow `focus`, or pass `expand` with the number of a call to see it whole"
    elif not traced.calls:
        answer["message"] = "no function in focus was called; `focus` takes globs of function names or of files"
    if traced.dropped:
        answer["note"] = f"{traced.dropped} events beyond `maxEvents` were not kept"
    answer["output"] = render.clip(redact.value("", Raw(traced.output)), 600)
    return answer


def ends_of(written: Sequence[str], size: int) -> tuple[list[str], int]:
    """The lines that fit, and how many are left out: a third of the room for the first, the rest for the last.

    What a run did last is nearest to how it ended.
    """
    if sum(map(len, written)) + len(written) <= size:
        return list(written), 0
    first = _fitting(written, size // 3)
    last = _fitting(written[:first:-1], size - size // 3 - 40)
    left = len(written) - first - last
    return [*written[:first], f"… {left} lines left out", *written[len(written) - last :]], left


def _fitting(written: Sequence[str], size: int) -> int:
    """How many of the first lines fit into `size` characters."""
    used = 0
    for count, line in enumerate(written):
        used += len(line) + 1
        if used > size:
            return count
    return len(written)


def compared(a: Traced, b: Traced) -> dict[str, Any]:
    """Two runs side by side: how far they agree, and the first call or value that differs."""
    found = first_difference(a.calls, b.calls)
    counts = [sum(1 for _ in flat(side.calls)) for side in (a, b)]
    answer: dict[str, Any] = {"same": found is None, "callsA": counts[0], "callsB": counts[1]}
    if found is None:
        answer["agreed"] = counts[0]
        answer["message"] = "no call, argument, result or changed attribute in focus differs"
    else:
        answer |= {"agreed": found.agreed, "difference": difference(found)}
    answer |= {"a": a.ends(), "b": b.ends()}
    answer["truncated"] = bool(a.dropped or b.dropped or not a.over or not b.over)
    return answer


def difference(found: Difference) -> dict[str, Any]:
    """Where two runs part, as fields."""
    call = found.a or found.b
    assert call is not None
    said: dict[str, Any] = {"what": found.what, "function": call.name, "file": call.file, "line": call.line}
    said["path"] = " > ".join((*found.path, call.name))
    if found.names:
        said["names"] = list(found.names)
    for side, one in (("a", found.a), ("b", found.b)):
        if one is not None:
            said[side] = str(redact.value("", Raw(f"#{one.number} {line_of(one, 300)}")))
    return said
