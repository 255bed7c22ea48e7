"""Run a program under our own tracer: its calls as a tree, and two runs side by side."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from dapwright.core import protocol as dap
from dapwright.core import redact, render
from dapwright.core.align import Difference, first_difference
from dapwright.core.calls import Call, flat, line_of, lines, tree
from dapwright.core.errors import DapwrightError, NotSupported
from dapwright.core.model import Launch, Raw
from dapwright.evidence import focusing, testing, verdicts
from dapwright.session import Session, building, ending, launching, probing, running
from dapwright.transport import signal_name

TREE_CHARACTERS = 3500
Begin = Callable[[Session, Launch], Awaitable[None]]


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
    signal: str = ""
    note: str = ""
    """What is to be said of the search for the functions."""

    def ends(self) -> dict[str, Any]:
        """How it ended, as fields of an answer."""
        told: dict[str, Any] = {"exitCode": self.code if self.code is None or self.code >= 0 else None}
        if self.code is not None and self.code < 0:
            told["signal"] = signal_name(-self.code)
        elif self.signal:
            told["signal"] = self.signal
        return told | {"testPassed": self.passed, "truncated": bool(self.dropped) or not self.over}


async def run(
    session: Session,
    begin: Begin,
    *,
    focus: Sequence[str],
    depth: int = 0,
    most: int = 2000,
    only: int = 0,
    seconds: float,
) -> Traced:
    """Run a session's launch to its end under the tracer; what was told before a time limit is kept.

    `begin` starts a launch in its engine, where the engine is the tracer.

    Raises:
        NotSupported: no tracer knows the language.
    """
    adapter = session.adapter
    if session.launch is None or (adapter.inside is None and not adapter.traces):
        raise NotSupported(
            f"calls of {adapter.display_name} programs cannot be traced here", "use investigate with function probes"
        )
    if adapter.inside is None:
        limits = {"depth": depth, "most": most, "only": only}
        return await _by_engine(session, begin, focus, limits, seconds)
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
    printed = testing.printed(session) if session.launch.test else None
    output = session.transcript.text()[-1500:] if printed is None else printed
    return Traced(tree(found.calls), found.calls_seen, found.calls_dropped, code, output, over, passed)


async def _by_engine(
    session: Session, begin: Begin, focus: Sequence[str], limits: dict[str, int], seconds: float
) -> Traced:
    """Run the launch in its engine, which tells the calls of the functions that the sources have in focus."""
    assert session.launch is not None
    found, note = focusing.found(session, focus)
    session.tracing = {"functions": found, **limits}
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds  # a build and the engine's start included
    await begin(session, replace(session.launch, exceptions="none", stop_on_entry=False, traced=True))
    while (left := end - loop.time()) > 0:
        await session.until(lambda: session.state in ("stopped", "error", "paused"), left)
        if session.state != "paused":
            break
        if session.tell() is not None:
            await running.resume(session, dap.CONTINUE)
    building.check(session, 0)
    if session.state == "error" and session.error is not None and not session.findings.calls:
        raise session.error
    over = session.state in ("stopped", "error")
    if not over and session.main is not None:
        with contextlib.suppress(DapwrightError):
            await session.main.client.ask(dap.TRACE, {"flush": True}, 2.0)
    session.drain()
    seen = session.findings
    passed = (testing.passed(session) or verdicts.ended(session)["testPassed"]) if session.launch.test else None
    return Traced(
        calls=tree(seen.calls),
        seen=seen.calls_seen,
        dropped=seen.calls_dropped,
        code=session.exit_code,
        output=session.transcript.text()[-1500:],
        over=over,
        passed=passed if over else None,
        signal=session.signal,
        note=note,
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
    dropped = f"{traced.dropped} events beyond `maxEvents` were not kept" if traced.dropped > 0 else ""
    if traced.dropped < 0:
        dropped = "calls beyond `maxEvents` events were not looked at"
    if note := "; ".join(filter(None, (traced.note, dropped))):
        answer["note"] = note
    if not traced.over:
        answer["message"] = "the program still ran when its time was over: it was ended"
        if not traced.seen:
            answer["message"] += "; if a build took that long, run it once and call again"
    answer["output"] = render.clip(redact.value("", Raw(traced.output)), 600)
    if traced.calls and "message" not in answer:
        answer["next"] = "investigate {probes: [{function, capture}]} looks inside the first call that went wrong"
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
        if parted := unlike_ends(a, b):
            answer["same"] = False
            answer["difference"] = parted
            answer["message"] += f", and yet the runs end otherwise ({parted['what']}): focus on what decides that"
    else:
        answer |= {"agreed": found.agreed, "difference": difference(found)}
        answer["next"] = "investigate {probes: [{function, capture}]} looks inside that call"
    answer |= {"a": a.ends(), "b": b.ends()}
    answer["truncated"] = bool(a.dropped or b.dropped or not a.over or not b.over)
    return answer


def unlike_ends(a: Traced, b: Traced) -> dict[str, Any] | None:
    """How two runs ended differently; None where they did not, or where one was cut short before its end."""
    if not (a.over and b.over):
        return None
    ones, others = a.ends(), b.ends()
    for name, what in (("testPassed", "test result"), ("signal", "signal"), ("exitCode", "exit code")):
        if ones.get(name) != others.get(name):
            return {"what": what, "a": ones.get(name), "b": others.get(name)}
    return None


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
