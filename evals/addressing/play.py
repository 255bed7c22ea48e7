"""One run of an agent over a task: bounded, and gone with its server afterwards."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sets import rows

HERE = Path(__file__).resolve().parent
LEFT, ENDING, TICK = 10, 35, 0.05
"""Seconds for a relay after its agent has ended; for one that was asked to end; between two looks."""
KEPT = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
ASK = (
    "{problem} Find the root cause with the debugger of the MCP server `dapwright`: set breakpoints, look at values."
    " The program is `{module}` in this folder.{edit} Do not mend it. Answer with the root cause in one sentence,"
    " on a last line that begins with `ROOT CAUSE:`."
)
EDIT = (
    " Once you have stopped in it, put these lines after its line `{after}`:\n\n{insert}\n\n"
    "Then restart the session with restart_debugging, and look again at the same places."
)


def prompt_of(task: dict[str, Any]) -> str:
    """What an agent is told; it is the same in every arm."""
    edit = task.get("edit")
    told = EDIT.format(after=edit["after"], insert="\n".join(edit["insert"])) if edit else ""
    return ASK.format(problem=task["problem"], module=task["module"], edit=told)


def play(task: dict[str, Any], arm: str, agent: str, folder: Path, *, seconds: float) -> dict[str, Any]:
    """Run an agent once; leaves `messages.jsonl`, `transcript.txt`, `errors.txt` in the folder.

    Answers how it ended: `{ended: ok | crashed | late, code, seconds}`.

    Raises: OSError where the agent's command cannot be started.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log = (folder / "messages.jsonl").resolve()
    with tempfile.TemporaryDirectory(prefix="addressing-", ignore_cleanup_errors=True) as name:
        place = Path(name).resolve()
        work = place / "work"
        work.mkdir()
        shutil.copy(HERE / "tasks" / task["module"], work)
        config, server = configuration(place, work, arm, log)
        filled = {"{prompt}": prompt_of(task), "{mcp_config}": str(config), "{server}": str(server)}
        argv = [_filled(word, filled) for word in shlex.split(agent)]
        began = time.monotonic()
        with (folder / "transcript.txt").open("wb") as said, (folder / "errors.txt").open("wb") as errors:
            process = subprocess.Popen(
                argv, cwd=work, stdin=subprocess.DEVNULL, stdout=said, stderr=errors, start_new_session=True
            )
            try:
                code: int | None = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                end(process, log)
    ended = "late" if code is None else "crashed" if code else "ok"
    return {"ended": ended, "code": code, "seconds": round(time.monotonic() - began, 1)}


def configuration(place: Path, work: Path, arm: str, log: Path) -> tuple[Path, Path]:
    """Write the MCP configuration of one run, and the same as a command without arguments, for agents that take that.

    Both start the relay, and behind it the server in one arm; agents differ in what environment they pass on.
    """
    argv = [sys.executable, str(HERE / "relay.py"), str(log), str(work), sys.executable, "-m", "dapwright", "serve"]
    env = {key: value for key, value in os.environ.items() if key in KEPT or key.startswith("DAPWRIGHT_")}
    env["DAPWRIGHT_ADDRESSING"] = arm
    config, server = place / "mcp.json", place / "server"
    one = {"command": argv[0], "args": argv[1:], "env": env}
    config.write_text(json.dumps({"mcpServers": {"dapwright": one}}), encoding="utf-8")
    exports = "".join(f"export {key}={shlex.quote(value)}\n" for key, value in env.items())
    server.write_text(f"#!/bin/sh\n{exports}exec {shlex.join(argv)}\n", encoding="utf-8")
    server.chmod(0o700)
    return config, server


def _filled(word: str, filled: dict[str, str]) -> str:
    """Put values in for their names in one pass; other braces, and names within a value, stay as they are."""
    begin = min((at for at in map(word.find, filled) if at >= 0), default=-1)
    if begin < 0:
        return word
    name = next(key for key in filled if word.startswith(key, begin))
    return word[:begin] + filled[name] + _filled(word[begin + len(name) :], filled)


def end(process: subprocess.Popen[bytes], log: Path) -> None:
    """See an agent, its relays and their servers end: asked first, so that the audit trail is kept, then killed.

    An agent that has ended by itself may have left its relay the moment before; that one is waited for.
    """
    if process.poll() is not None and _waited(process, log, LEFT):
        return
    _signal(process.pid, signal.SIGTERM, group=True)
    for relay in _relays(log):  # one that its agent gave a session of its own
        _signal(relay, signal.SIGTERM)
    _waited(process, log, ENDING)
    left = _relays(log)
    _signal(process.pid, signal.SIGKILL, group=True)
    for relay in left:  # its server ends with its input
        _signal(relay, signal.SIGKILL)
    process.wait()


def _waited(process: subprocess.Popen[bytes], log: Path, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if process.poll() is not None and not _relays(log):
            return True
        time.sleep(TICK)
    return False


def _relays(log: Path) -> list[int]:
    """The relays of this run that have begun and not ended, and are still there."""
    open_: dict[int, None] = {}
    for row in rows(log):
        if row["way"] == "begin":
            open_[row["relay"]] = None
        elif row["way"] == "end":
            open_.pop(row["relay"], None)
    return [pid for pid in open_ if _is_ours(pid, log)]


def _is_ours(pid: int, log: Path) -> bool:
    """Whether a process is still the relay of this log, and not another that got its number."""
    command = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self/cmdline").exists():
        try:
            return str(log).encode() in command.read_bytes()
        except OSError:
            return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _signal(pid: int, number: int, *, group: bool = False) -> None:
    try:
        (os.killpg if group else os.kill)(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
