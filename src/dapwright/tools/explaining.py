"""How a program came to where it is: its calls, two runs beside each other, a value, a hang."""

import asyncio
import os
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from dapwright import adapters
from dapwright.core import state
from dapwright.core.calls import flat
from dapwright.core.lineage_text import value_text
from dapwright.evidence import hanging, investigation, revisions, rewinding, testing, tracing, valuing
from dapwright.session import Session, building
from dapwright.tools import About, Caller, Inline, gating, tool
from dapwright.tools.targets import Target, folder_of, session_for, target_of
from dapwright.tools.words import SessionId

Focus = Annotated[list[str], About("Globs of functions (`Cart.*`) or files; none: the program's own.")]
MAX_EVENTS = 20_000
CALL_SECONDS, SPARE_SECONDS = 42.0, 6.0
"""How long a traced run may take, its build included; what is left then for its end and the answer."""


async def traced(
    caller: Caller, target: Target, focus: list[str], *, share: float = 1.0, **limits: Any
) -> tracing.Traced:
    """Run a target under the tracer, in a session that is gone afterwards; `share` of the call's time is its own.

    A build counts too: what it takes, the run does not have.
    """
    loop = asyncio.get_running_loop()
    now = loop.time()
    end = now + min(caller.deadline - SPARE_SECONDS - now, CALL_SECONDS) * share
    session: Session = await session_for(caller, target, "trace", warm=False)
    session.evidence = True
    try:
        await caller.progress("tracing")
        building.check(session, end - loop.time())
        seconds = max(end - loop.time(), 1.0)
        return await tracing.run(session, caller.sessions.begin, focus=focus, seconds=seconds, **limits)
    finally:
        await caller.sessions.close(session)


def counted(caller: Caller, target: Target, found: tracing.Traced) -> None:
    """Have the gate count a traced run of the sources as they are; an older revision's tells nothing of these."""
    if found.over:
        name = target.test or target.script_path or target.module or ""
        gating.count(caller, "test" if target.test else "run", name, found.ends())


@tool(title="Trace calls", open_world=True)
async def trace_calls(
    caller: Caller,
    *,
    target: Annotated[Target, Inline()],
    focus: Focus = [],
    depth: Annotated[int, About("Levels of calls; 0: all.", least=0)] = 0,
    max_events: Annotated[int, About("Calls and returns to keep.", least=1)] = 2000,
    expand: Annotated[int, About("Number of one call: run again, show it whole.", least=0)] = 0,
) -> Mapping[str, Any]:
    """Run a script, module or test (Python, JS, TS, JVM, Go, C, C++, Rust) and answer the tree of its calls: arguments,
    returns, raises, changed attributes of self; repeated calls folded. Needs no session, at most 40 s."""
    most = min(max(max_events, 1), MAX_EVENTS)
    found = await traced(caller, target, focus, depth=depth, most=most, only=expand)
    counted(caller, target, found)
    return tracing.told(found, fold=not expand)


async def traced_at(
    caller: Caller, target: Target, revision: str, focus: list[str], share: float
) -> tuple[tracing.Traced, str]:
    """Run a target as a revision of its project has it; what it was, and what is to be said of that."""
    adapter = testing.find_adapter(target.test or target.script_path or "", target.language, adapters)
    asking = caller.sessions.create(adapter.language, client=caller.client, name="revision", warm=False)
    asking.evidence = True
    folder = folder_of(target.cwd)
    near = os.path.dirname(os.path.join(folder, target.script_path)) if target.script_path else folder
    try:
        async with revisions.checked_out(asking, folder if target.cwd else near, revision) as tree:
            path, _, test = (target.test or "").partition("::")
            moved = msgspec.structs.replace(
                target,
                cwd=tree.place(folder),
                script_path=tree.place(os.path.join(folder, target.script_path)) if target.script_path else None,
                test="::".join(filter(None, (tree.place(path) if os.path.isabs(path) else path, test))) or None,
            )
            found = await traced(caller, moved, focus, most=MAX_EVENTS, share=share)
            strangers = tree.strangers(call for _, call in flat(found.calls))
            tree.rename(found.calls)
    finally:
        await caller.sessions.close(asking)
    said = f"`{revision}` is {tree.commit[:12]}"
    if strangers:
        said += f"; the working tree's own {', '.join(strangers[:3])} ran there (an editable installation?)"
    return found, said


async def side(
    caller: Caller, given: dict[str, Any], name: str, focus: list[str], share: float
) -> tuple[tracing.Traced, str]:
    """One side of a comparison: a target, at a revision or as it is."""
    revision = given.get("revision")
    target = target_of({key: value for key, value in given.items() if key != "revision"}, name)
    if revision is None:
        found = await traced(caller, target, focus, most=MAX_EVENTS, share=share)
        counted(caller, target, found)
        return found, ""
    return await traced_at(caller, target, str(revision), focus, share)


@tool(title="Compare runs", open_world=True)
async def compare_runs(
    caller: Caller,
    *,
    a: Annotated[dict[str, Any], About("A run: {scriptPath | module | test, args, env, cwd, revision}.")],
    b: Annotated[dict[str, Any], About("The other run.")],
    focus: Focus = [],
) -> Mapping[str, Any]:
    """Run two targets (two inputs, two tests, before and after an edit by git `revision`) traced alike, and answer
    the first call, argument, result or changed attribute in which they differ, with the path to it and how far they
    agree."""
    target_of({key: value for key, value in b.items() if key != "revision"}, "b")
    one, about_one = await side(caller, a, "a", focus, 0.5)
    other, about_other = await side(caller, b, "b", focus, 1.0)
    answer = tracing.compared(one, other)
    if note := "; ".join(filter(None, (about_one, about_other))):
        answer["note"] = note
    return answer


@tool(title="Explain a hang", read_only=True, open_world=True)
async def explain_hang(caller: Caller, *, session_id: SessionId = None) -> Mapping[str, Any]:
    """Answers why a running or paused program (Python, JVM, Go, native by gdb) does not move: what each thread,
    goroutine and task waits for, who holds it, cycles named, a busy loop told from a wait. Changes nothing."""
    session = caller.sessions.get(session_id, client=caller.client)
    return await hanging.explain(session)


@tool(title="Explain a value", open_world=True, text=value_text)
async def explain_value(
    caller: Caller,
    *,
    expression: Annotated[str, About("A name, an attribute, an item, as it stands in the paused frame.")],
    session_id: SessionId = None,
) -> Mapping[str, Any]:
    """Answers, at a stop (Python; native, recorded), which statement wrote this value last, from which inputs, and who
    wrote those. Runs the program again, beside, with probes on the assignments; the paused one is left as it is."""
    session = caller.sessions.get(session_id, client=caller.client)
    if session.adapter.rewinds:
        state.require(session.state, "look at variables")
        return await rewinding.explain(session, expression)
    asked = await valuing.ask(session, expression)
    if asked.cannot:
        return asked.told()
    again = caller.sessions.create(
        session.adapter.language, client=caller.client, name="value", executable=session.executable
    )
    again.evidence = True
    try:
        await caller.progress("running again with probes")
        found = await valuing.place(session, again, asked)
        assert again.launch is not None
        await caller.sessions.begin(again, again.launch)
        await investigation.wait(again, found)
        return valuing.answer(again, asked)
    finally:
        await caller.sessions.close(again)
