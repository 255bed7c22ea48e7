"""Launch, configuration, and the end of a session."""

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from dapwright.core.errors import DapwrightError, SetupError, WrongState
from dapwright.engines.dapserver import Reply
from dapwright.engines.node import opening, page, possible
from dapwright.engines.node.command import command, is_deno
from dapwright.engines.node.compiled import project
from dapwright.engines.node.inspector import connect
from dapwright.engines.node.options import Launch, Skipping
from dapwright.engines.node.program import Program
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Step, Target

START_SECONDS = 30.0
"""How long a launched command may take until a Node process of it waits for us (npm is slow)."""


@REQUESTS.on("launch", Launch, concurrent=True)
async def launch(session: Session, ask: Launch) -> Mapping[str, Any]:
    """Start a program; answered once it is configured and runs."""
    if session.program is not None or session.attached:
        raise WrongState("this session has its program already", "start another engine for another program")
    if ask.url:
        session.background(_watch_end(session, await page.launch(session, ask)))
        return {}
    argv, entry, notes = await command(ask, session.compiled)
    session.folder = ask.source_map_folder or ask.cwd or str(Path(entry).parent)
    session.compiled_folder = ask.source_map_folder or (project(entry) if entry else ask.cwd)
    session.skipping = Skipping(ask.just_my_code, ask.skip_files)
    if entry:
        _explore(session, ask, entry)
    first: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    program = session.program = Program(
        output=lambda category, text: session.server.event("output", {"category": category, "output": text}),
        announced=lambda told: _announced(session, first, told),
    )
    program.tells_inspector = is_deno(argv[0])
    await program.start(argv, cwd=ask.cwd, env=ask.env, children=ask.auto_attach_child_processes)
    ended = asyncio.create_task(program.wait())
    for note in notes:
        session.note(note)
    told = await _first(session, first, ended)
    if not entry and len(told["argv"]) > 1:
        entry = str(Path(told["argv"][1]).resolve())
        _explore(session, ask, entry)
    inspector = await connect(told["url"])
    name = Path(entry).name or "node"
    target = await opening.prepare(session, inspector, name, process=told["pid"], first=entry)
    session.main_thread = target.thread
    body = {"name": entry or argv[0], "systemProcessId": told["pid"], "isLocalProcess": True, "startMethod": "launch"}
    session.server.event("process", body)
    if is_deno(argv[0]):
        await _meet_deno(session, target, ask)
    session.add(target)
    session.background(_watch_end(session, ended))
    if session.entry_file:
        session.entry_place = await possible.first(session, entry)
    session.server.event("initialized")
    await session.configured.wait()
    if target.inspector.closed:
        return {}
    await opening.release(target)
    return {}


async def _meet_deno(session: Session, target: Target, ask: Launch) -> None:
    """Deno breaks at its start itself, and waits at its end for us: only an enabled runtime tells of that end."""
    session.entry_file = ""
    target.step = Step("entry") if ask.stop_on_entry else None
    target.printed = lambda params: None  # its pipes are ours
    await target.inspector.ask("Runtime.enable")


def _explore(session: Session, ask: Launch, entry: str) -> None:
    """The program's first file is known: from the start, or once what a runner (npm) starts announces itself."""
    session.entry_file = entry if ask.stop_on_entry else ""
    session.names.explore(entry)


def _announced(session: Session, first: "asyncio.Future[dict[str, Any]]", told: dict[str, Any]) -> None:
    if not first.done():
        first.set_result(told)
    else:
        session.background(opening.join_child(session, told))


async def _first(
    session: Session, first: "asyncio.Future[dict[str, Any]]", ended: "asyncio.Task[dict[str, Any]]"
) -> dict[str, Any]:
    """Wait for the first Node process of the command to announce itself."""
    await asyncio.wait([first, ended], timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if first.done():
        return first.result()
    assert session.program
    words = session.program.last_words.strip()
    if ended.done():
        how = ended.result()
        raise SetupError(
            f"the command ended ({_how(how)}) before a Node program began: {words or 'it printed nothing'}"
        )
    await session.program.kill()
    raise SetupError(f"no Node program began within {START_SECONDS:g} s: {words or 'it printed nothing'}")


def _how(exited: dict[str, Any]) -> str:
    return f"exit code {exited['exitCode']}" if "exitCode" in exited else str(exited["signal"])


async def _watch_end(session: Session, ended: "asyncio.Task[dict[str, Any]]") -> None:
    body = await ended
    session.configured.set()
    for target in session.running():
        target.inspector.close()
    session.server.event("exited", body)
    session.server.event("terminated")


@REQUESTS.on("configurationDone", dict, capabilities=("supportsConfigurationDoneRequest",))
async def configuration_done(session: Session, ask: dict[str, Any]) -> Reply:
    """All breakpoints are told: the program may run."""
    return Reply({}, session.configured.set)


class Input(msgspec.Struct):
    text: str = ""
    close: bool = False


@REQUESTS.on("dapwright/input", Input, capabilities=("supportsDapwrightInput",))
async def feed(session: Session, ask: Input) -> Mapping[str, Any]:
    """Feed the program's standard input; `close` ends it."""
    if session.program is None:
        raise WrongState("this program was not launched here, so its input is not ours")
    await session.program.feed(ask.text, close=ask.close)
    return {}


class Disconnect(msgspec.Struct, rename="camel"):
    terminate_debuggee: bool | None = None


@REQUESTS.on("disconnect", Disconnect, concurrent=True, capabilities=("supportTerminateDebuggee",))
async def disconnect(session: Session, ask: Disconnect) -> Reply:
    """End a launched program, or leave it running where asked; let go of an attached one."""
    end = ask.terminate_debuggee if ask.terminate_debuggee is not None else not session.attached
    session.configured.set()
    await _let_go(session)
    if session.program is not None and end:
        await session.program.kill()
    elif session.program is not None:
        await session.program.abandon()
        session.program = None
    elif end:
        _end_attached(session)
    return Reply({}, session.server.end)


async def _let_go(session: Session) -> None:
    """Remove what we set, resume what stands, close: closing alone does the same in V8, later."""
    session.filters = {}
    for target in session.running():
        try:
            await target.inspector.ask("Debugger.disable", seconds=2)
            await target.inspector.ask("Runtime.runIfWaitingForDebugger", seconds=2)
        except DapwrightError:
            continue
    for target in session.running():
        if target.parent is None:
            target.inspector.close()


def _end_attached(session: Session) -> None:
    import os

    pid = session.attached_pid
    if not pid:
        raise WrongState("the attached program's process id is not known here", "end it where it runs")
    os.kill(pid, signal.SIGTERM)


@REQUESTS.on("terminate", dict, concurrent=True, capabilities=("supportsTerminateRequest",))
async def terminate(session: Session, ask: dict[str, Any]) -> Mapping[str, Any]:
    """Ask the program to end (SIGTERM), which it may handle; `disconnect` ends it for certain."""
    if session.program is None:
        _end_attached(session)
        return {}
    session.configured.set()
    for target in session.running():
        if target.stop is not None:
            target.go("Debugger.resume")
    session.program.signal(signal.SIGTERM)
    return {}


@REQUESTS.on("threads", dict)
async def threads(session: Session, ask: dict[str, Any]) -> Mapping[str, Any]:
    """The main program, its workers and its child processes."""
    return {"threads": [{"id": t.thread, "name": t.name} for t in session.running()]}
