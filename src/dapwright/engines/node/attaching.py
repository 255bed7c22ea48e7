"""Joining a program that runs already, by its inspector's port or by its process id."""

import asyncio
import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dapwright.core.errors import AdapterError, SetupError, UsageError, WrongState
from dapwright.engines.node import opening
from dapwright.engines.node.compiled import project
from dapwright.engines.node.inspector import connect
from dapwright.engines.node.options import Attach, Skipping
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Step, Target


@REQUESTS.on("attach", Attach, concurrent=True)
async def attach(session: Session, ask: Attach) -> Mapping[str, Any]:
    """Join a running program; answered once it is configured. `stopOnEntry` pauses it."""
    if session.program is not None or session.attached:
        raise WrongState("this session has its program already", "start another engine for another program")
    pid = ask.process_id or 0
    if ask.websocket_address:
        url, title = ask.websocket_address, "node"
    elif pid:
        url, title = await _by_process(pid, ask.timeout / 1000)
    elif ask.port is not None:
        url, title = await find(ask.host or ask.address or "127.0.0.1", ask.port, ask.timeout / 1000)
    else:
        raise UsageError("nothing says what to attach to", "give `port`, `processId` or `websocketAddress`")
    session.attached = True
    session.skipping = Skipping(ask.just_my_code, ask.skip_files)
    session.stop_on_entry = ask.stop_on_entry
    session.web_root = ask.web_root
    session.folder = ask.source_map_folder or ask.cwd or ask.web_root
    inspector = await connect(url)
    target = await opening.prepare(session, inspector, title, process=pid)
    session.main_thread = target.thread
    await _learn(session, target)
    body: dict[str, Any] = {"name": title, "isLocalProcess": True, "startMethod": "attach"}
    session.server.event("process", body | ({"systemProcessId": session.attached_pid} if session.attached_pid else {}))
    session.add(target)
    session.server.event("initialized")
    await session.configured.wait()
    inspector.start("Runtime.enable")
    if ask.stop_on_entry:
        target.step = Step("entry")
        await inspector.ask("Debugger.pause")
    await opening.release(target)
    return {}


async def _learn(session: Session, target: Target) -> None:
    """Ask the program who it is; a page, or a program that waits on its first line, may not tell."""
    answer = await target.inspector.ask(
        "Runtime.evaluate",
        expression="typeof process==='object'?JSON.stringify([process.pid,process.cwd(),process.argv[1]||'']):''",
        returnByValue=True,
    )
    told = answer["result"].get("value")
    if not told:
        target.is_page = True
        return
    pid, cwd, script = json.loads(told)
    session.attached_pid = target.process = pid
    session.folder = session.folder or cwd
    session.compiled_folder = session.compiled_folder or (project(script) if script else cwd)
    target.name = Path(script).name or target.name
    if script:
        session.names.explore(str(Path(script).resolve()))


async def find(host: str, port: int, seconds: float) -> tuple[str, str]:
    """Return the WebSocket address of the inspector on a port, and its title.

    Raises:
        SetupError: nobody listens there, or what listens is no inspector.
    """
    try:
        async with asyncio.timeout(seconds):
            listed = await _get(host, port, "/json/list")
    except TimeoutError:
        raise SetupError(f"what listens on {host}:{port} does not answer as an inspector does", _PORT_HINT) from None
    except ConnectionRefusedError:
        raise SetupError(f"nobody listens on {host}:{port}", _PORT_HINT) from None
    except ConnectionResetError:
        raise SetupError(
            f"what listens on {host}:{port} speaks another protocol than the inspector's", _PORT_HINT
        ) from None
    except OSError as bad:
        raise SetupError(f"cannot reach {host}:{port}: {bad}", _PORT_HINT) from bad
    pages = [t for t in listed if t.get("webSocketDebuggerUrl")]
    chosen = next((t for t in pages if t.get("type") in ("node", "page")), pages[0] if pages else None)
    if chosen is None:
        raise SetupError(f"the inspector on {host}:{port} offers nothing to debug", "is another debugger attached?")
    path = str(chosen["webSocketDebuggerUrl"]).split("://", 1)[1].partition("/")[2]
    return f"ws://{host}:{port}/{quote(path)}", str(chosen.get("title") or "node")


_PORT_HINT = "start the program with `node --inspect`, and take the port of its `Debugger listening on` line"


async def _get(host: str, port: int, path: str) -> list[dict[str, Any]]:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (int(h.split(b":")[1]) for h in head.split(b"\r\n") if h.lower().startswith(b"content-length")), -1
        )
        body = await (reader.readexactly(length) if length >= 0 else reader.read())
        listed = json.loads(body)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as bad:
        raise SetupError(
            f"what listens on {host}:{port} speaks another protocol than the inspector's", _PORT_HINT
        ) from bad
    finally:
        writer.close()
    if not isinstance(listed, list):
        raise SetupError(f"what listens on {host}:{port} is no inspector", _PORT_HINT)
    return listed


async def _by_process(pid: int, seconds: float) -> tuple[str, str]:
    """Wake the inspector of a Node process (SIGUSR1) and return its address."""
    if not hasattr(signal, "SIGUSR1"):
        raise SetupError(
            "a process id is no way to attach on this system", "start it with `node --inspect` and give the port"
        )
    command = Path(f"/proc/{pid}/exe")
    if Path("/proc").is_dir() and command.parent.is_dir() and "node" not in _program(pid):
        raise AdapterError(f"process {pid} is `{_program(pid)}`, not node: a signal would end it", _PORT_HINT)
    before = _listening(pid)
    found = await _inspector_among(before)
    if found:
        return found
    try:
        os.kill(pid, signal.SIGUSR1)
    except ProcessLookupError:
        raise SetupError(f"there is no process {pid}", "look for it with `pgrep -a node`") from None
    except PermissionError:
        raise SetupError(f"process {pid} belongs to another user", "run dapwright as that user") from None
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        found = await _inspector_among(_listening(pid) - before if Path("/proc").is_dir() else {9229})
        if found:
            return found
        await asyncio.sleep(0.02)  # nothing tells when a port opens
    raise SetupError(
        f"process {pid} opened no inspector within {seconds:g} s: port 9229 may be taken, or it is in native code",
        "end the other inspector, or start the program with `--inspect=0`",
    )


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/exe").readlink().name
    except OSError:
        return "node"


async def _inspector_among(ports: set[int]) -> tuple[str, str] | None:
    for port in sorted(ports):
        try:
            return await find("127.0.0.1", port, 1.0)
        except SetupError:
            continue
    return None


def _listening(pid: int) -> set[int]:
    """Return the TCP ports on which a process listens, by /proc."""
    sockets = set()
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            target = str(entry.readlink()) if entry.is_symlink() else ""
            if target.startswith("socket:["):
                sockets.add(target[8:-1])
        tables = [Path(f"/proc/{pid}/net/{name}").read_text() for name in ("tcp", "tcp6")]
    except OSError:
        return set()
    rows = [line.split() for table in tables for line in table.splitlines()[1:]]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in sockets}
