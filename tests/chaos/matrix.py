"""Every fault of an adapter at every step of a session's life, and what must be true of each.

A cell is one whole life of a session: made, launched (or attached), looked at, stepped, changed,
paused, ended; the fault strikes at one request. The limits are the product's own; the clock is
virtual. `run_cell` fails with the reason; it returns what the cell was.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import virtual_time
from fake_adapter import Bench, FakeAdapter

from dapwright.engines.mock.faults import ANSWERING, ARRIVING

STEPS = (
    "initialize begin setBreakpoints setFunctionBreakpoints setExceptionBreakpoints configurationDone threads "
    "stackTrace scopes variables evaluate setExpression next stepIn stepOut continue pause exceptionInfo disconnect"
).split()
"""The requests of a life; `begin` is `launch` or `attach`."""
DEEDS = (*ARRIVING, *ANSWERING)
SHAPES = ("launch", "attach", "early", "cold", "ours")
"""Launched warm; attached; with `initialized` before the launch; launched cold; without conditions of its own."""
BOUND_SECONDS = 50.5
"""The longest that any call may take, in the loop's time."""
STALLS = {"our-loop-stalls": 4, "our-loop-stalls-long": 65}
HARMLESS = frozenset(
    "answers-twice answers-late answers-in-texts splits-bytewise odd-header prints-before prints-after invalid-text "
    "sends-64-mb floods unknown-event event-without-body output-malformed breakpoint-unknown breakpoint-malformed "
    "thread-unknown asks-the-unknown asks-without-sense starts-a-dead-child runs-nothing initialized-again "
    "our-loop-stalls".split()
)
"""After these every call must succeed, and end where it would have ended."""
CODES = frozenset("adapter protocol time-limit wrong-state stale usage not-supported busy".split())
"""How a call may fail by an adapter's fault: never `internal`, never silence."""
LETHAL = frozenset("dies dies-half-way dies-in-the-header dies-after garbage-body deep-body huge-header".split())
"""After these the session must be over by the next call."""
MUTE = frozenset("hangs is-stopped answers-too-late answers-another-request huge-header is-stopped-after".split())
"""After these a call must say that the debugger does not answer."""
COSTLY = frozenset({"floods", "sends-64-mb"})
FEW = frozenset({"initialize", "setBreakpoints", "stackTrace", "continue"})
"""Where the costly ones are tried."""
PROGRAM = """\
total = 0
amounts = [30, 5, 7]
to add
    amount = amounts[1]
    total = total + amount
end
do add
print total is {total}
after = 1
forever
"""
FAILS = "x = 1\ny = x // 0\n"


@dataclass
class Life:
    """What a cell's calls answered."""

    calls: list[tuple[str, float, Mapping[str, Any]]] = field(default_factory=list)
    struck: bool = False
    """The fault's step was reached."""

    def failures(self) -> list[tuple[str, Mapping[str, Any]]]:
        return [(name, told) for name, _, told in self.calls if not told["success"]]


def cells(shapes: tuple[str, ...] = SHAPES) -> list[tuple[str, str, str]]:
    """All cells: (shape, deed, step)."""
    return [
        (shape, deed, step)
        for shape in shapes
        for deed in DEEDS
        for step in STEPS
        if deed not in COSTLY or (step in FEW and shape in ("launch", "attach"))
    ]


def adapter(shape: str, step: str, deed: str) -> FakeAdapter:
    """The adapter of a shape, with a fault."""
    wanted = ("attach" if shape == "attach" else "launch") if step == "begin" else step
    off = {"supportsConditionalBreakpoints": False, "supportsLogPoints": False, "supportsFunctionBreakpoints": True}
    fake = FakeAdapter(wanted, deed, capabilities=off if shape == "ours" else {})
    fake.initialized_when = "initialize" if shape == "early" else "launch"
    return fake


async def live(bench: Bench, folder: Any, shape: str) -> Life:
    """One life: every verb that reaches the adapter, one after another, whatever came of the last."""
    life, loop = Life(), asyncio.get_running_loop()
    script, fails = folder / "life.mock", folder / "fails.mock"

    async def call(tool: str, **arguments: Any) -> Mapping[str, Any]:
        began = loop.time()
        told = (await bench.answer(tool, **arguments)).structured
        life.calls.append((tool, loop.time() - began, told))
        return told

    if shape == "attach":
        await call("create_debug_session", language="mock", name="one")
    made = bench.sessions.create("mock", client="local", warm=shape != "cold") if shape != "attach" else None
    sid = made.id if made else life.calls[0][2]["sessionId"]
    await call("set_breakpoint", sessionId=sid, file=str(script), statement="amount = amounts[1]", condition="1 == 1")
    await call("set_breakpoint", sessionId=sid, function="add")
    if shape == "attach":
        config = {"program": str(script)}
        await call("attach_to_process", sessionId=sid, port=9999, adapterConfig=config)
    else:
        await call("start_debugging", sessionId=sid, scriptPath=str(script))
    await call("list_threads", sessionId=sid)
    await call("get_stack_trace", sessionId=sid)
    scopes = await call("get_scopes", sessionId=sid)
    reference = (scopes.get("scopes") or [{}])[0].get("variablesReference", 1)
    await call("get_variables", sessionId=sid, scope=reference)
    await call("get_local_variables", sessionId=sid, names=["total"])
    await call("evaluate_expression", sessionId=sid, expression="len(amounts)")
    await call("set_variable", sessionId=sid, name="total", value="40")
    await call("step_over", sessionId=sid)
    await call("step_out", sessionId=sid)
    await call("step_into", sessionId=sid)
    await call("set_breakpoint", sessionId=sid, file=str(script), statement="after = 1", logMessage="at {total}")
    await call("continue_execution", sessionId=sid, wait=2)
    await call("pause_execution", sessionId=sid)
    await call("get_output", sessionId=sid)
    await call("clear_breakpoints", sessionId=sid)
    await call("list_breakpoints", sessionId=sid)
    await call("list_debug_sessions")
    await call("close_debug_session", sessionId=sid)
    if shape != "attach":
        other = await call("start_debugging", language="mock", scriptPath=str(fails))
        if "sessionId" in other:
            await call("continue_execution", sessionId=other["sessionId"], wait=True)
            await call("close_debug_session", sessionId=other["sessionId"])
    return life


def normal(life: Life) -> list[str]:
    """The answers without what differs from one run to the next."""
    return [_normal(name, told) for name, _, told in life.calls]


def _normal(name: str, told: Mapping[str, Any]) -> str:
    if name in ("get_output", "list_debug_sessions"):
        return name
    kept = {k: v for k, v in told.items() if k not in VOLATILE}
    text = json.dumps(kept, sort_keys=True)
    return name + " " + re.sub(r'"(id|variablesReference|threadId|frameId)": \d+', r'"\1": 0', text)


async def run_cell(bench: Bench, folder: Any, cell: tuple[str, str, str], reference: list[str]) -> Life:
    """Live one life under a fault and assert what must be true; then a second session must work as ever."""
    shape, deed, step = cell
    bench.make = lambda: adapter(shape, step, deed)
    life = await live(bench, folder, shape)
    bound = BOUND_SECONDS + STALLS.get(deed, 0)
    for name, seconds, told in life.calls:
        assert seconds <= bound, f"{name} took {seconds:.1f} s"
        assert told["success"] or told["code"] in CODES, f"{name}: {told}"
        assert told["success"] or told["error"], f"{name} failed without words"
        assert told.get("state") != "paused" or told.get("lastStop"), f"{name} is paused without a stop: {told}"
        assert told.get("state") not in ("running", "created") or not told.get("lastStop"), f"{name}: {told}"
    if deed in HARMLESS:
        for mine, theirs in zip(normal(life), reference, strict=True):
            assert mine == theirs, f"not as without the fault:\n{mine}\n{theirs}"
    struck = [fake.faults.struck for fake in bench.made]
    if deed in LETHAL and any(struck[:1]) and step not in ("exceptionInfo", "disconnect"):
        listed = next(told for name, _, told in life.calls if name == "list_debug_sessions")
        assert all(row["state"] in ("error", "stopped") for row in listed["sessions"]), listed
    if deed in MUTE and any(struck):
        assert any(_tells(told) for _, _, told in life.calls), "no call tells of it"
    life.struck = any(struck)
    for session in list(bench.sessions):
        await bench.ok("close_debug_session", sessionId=session.id)
    await second(bench, folder)
    return life


VOLATILE = frozenset({"sessionId", "output", "note", "warning", "message", "alsoPaused"})


def _tells(told: Mapping[str, Any]) -> bool:
    return not told["success"] or bool(told.get("warning") or told.get("pending") or told.get("state") == "error")


async def second(bench: Bench, folder: Any) -> None:
    """The next session works, whatever became of the last."""
    script = str(folder / "life.mock")
    bench.make = lambda: adapter("launch", "", "")
    place = {"file": script, "statement": "total = total + amount"}
    told = await bench.ok("start_debugging", language="mock", scriptPath=script, breakpoints=[place])
    assert told["state"] == "paused" and told["lastStop"]["reason"] == "breakpoint", told
    assert (await bench.ok("evaluate_expression", expression="amount"))["result"] == "5"
    await bench.ok("close_debug_session")


def write_programs(folder: Any) -> Any:
    """Write what the lives run."""
    (folder / "life.mock").write_text(PROGRAM)
    (folder / "fails.mock").write_text(FAILS)
    return folder


def reference(folder: Any, shape: str, monkeypatch: Any) -> list[str]:
    """What a life without a fault answers."""

    async def life() -> list[str]:
        bench = Bench(monkeypatch)
        bench.make = lambda: adapter(shape, "", "")
        told = normal(await live(bench, folder, shape))
        await bench.close()
        return told

    return virtual_time.run(life())


def tried(cell: tuple[str, str, str], folder: Any, expected: list[str], monkeypatch: Any) -> bool:
    """Try a cell in a loop of its own: nothing may be left. True where the fault was reached."""

    async def attempt() -> bool:
        bench = Bench(monkeypatch)
        life = await run_cell(bench, folder, cell, expected)
        await bench.close()
        return life.struck

    try:
        return virtual_time.run(attempt())
    except BaseException as failed:
        failed.add_note(f"the cell: {cell}")
        raise
