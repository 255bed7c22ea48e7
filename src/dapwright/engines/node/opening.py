"""How a target comes under control: enabled, told what is wanted, let run. Workers come through their parent."""

import asyncio
from pathlib import Path
from typing import Any

from dapwright.core.errors import DapwrightError
from dapwright.engines.node import binding, exceptions, modules, stops
from dapwright.engines.node.conditions import BINDING
from dapwright.engines.node.inspector import Inspector, connect, route
from dapwright.engines.node.scripts import Script
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Json, Target

ASYNC_DEPTH = 8


async def prepare(session: Session, inspector: Inspector, name: str, *, process: int = 0, first: str = "") -> Target:
    """Make a target of an inspector; it stays as it is (waiting, or running) until `release`.

    `first`: the path or URL of the file that it begins with, where that is known before it runs.
    """
    target = Target(session, inspector, session.new_thread(), name, process=process)
    target.loading_modules = bool(first) and modules.may_load(first)
    target.on_pause = lambda params: stops.paused(target, params)
    target.parsed = lambda script: _parsed(target, script)
    target.on_worker = lambda method, params: _worker(target, method, params)
    target.printed = lambda params: _printed(session, target, params)
    ask = inspector.ask
    await asyncio.gather(
        ask("Debugger.enable"),
        ask("Debugger.setAsyncCallStackDepth", maxDepth=ASYNC_DEPTH),
        ask("Runtime.addBinding", name=BINDING),
    )
    return target


async def release(target: Target, *, workers: bool = True) -> None:
    """Set what is wanted, then let a waiting target run."""
    ask = target.inspector.ask
    await asyncio.gather(binding.watch_maps(target), exceptions.apply(target), binding.bind(target))
    if workers:
        target.inspector.start("NodeRuntime.notifyWhenWaitingForDisconnect", enabled=True)
        target.inspector.start("NodeWorker.enable", waitForDebuggerOnStart=True)
    await ask("Runtime.runIfWaitingForDebugger")


def _parsed(target: Target, script: Script) -> None:
    if not script.is_internal:
        exceptions.script_parsed(target, script.is_module)
        binding.script_parsed(target, script)


async def join_child(session: Session, told: dict[str, Any]) -> None:
    """A child process of the program's waits for us."""
    first = told["argv"][1] if len(told["argv"]) > 1 else ""
    name = f"child {told['pid']} ({Path(first).name or 'node'})"
    try:
        inspector = await connect(told["url"])
        target = await prepare(session, inspector, name, process=told["pid"], first=first)
        session.add(target)
        await release(target)
    except DapwrightError as lost:
        session.note(f"{name} could not be debugged: {lost}")


def _worker(parent: Target, method: str, params: Json) -> None:
    number = params["sessionId"]
    match method:
        case "NodeWorker.attachedToWorker":
            inspector = parent.workers[number] = route(parent.inspector, number)
            inspector.close = inspector.end
            info = params["workerInfo"]
            parent.session.background(_join_worker(parent, inspector, info))
        case "NodeWorker.receivedMessageFromWorker" if number in parent.workers:
            parent.workers[number].take(params["message"])
        case "NodeWorker.detachedFromWorker" if number in parent.workers:
            parent.workers.pop(number).end()


async def _join_worker(parent: Target, inspector: Inspector, info: Json) -> None:
    url = str(info.get("url") or "")
    if url.startswith(("node:", "internal/")):  # Node's own thread for module hooks: nothing of the program's
        await inspector.ask("Runtime.runIfWaitingForDebugger")
        return
    script = Path(url).name
    name = f"worker {info.get('workerId', '')}" + (f" ({script})" if script else "")
    try:
        target = await prepare(parent.session, inspector, name, process=parent.process, first=url)
        target.parent = parent
        parent.session.add(target)
        await release(target, workers=False)
    except DapwrightError as lost:
        if not inspector.closed:
            parent.session.note(f"{name} could not be debugged: {lost}")


def _printed(session: Session, target: Target, params: Json) -> None:
    """What an attached program prints by `console`: its pipes are not ours."""
    from dapwright.engines.node import values

    shown = [str(a["value"]) if a.get("type") == "string" else values.render(a) for a in params.get("args", [])]
    category = "stderr" if params.get("type") in ("error", "warning", "assert") else "stdout"
    session.server.event("output", {"category": category, "output": " ".join(shown) + "\n"})
