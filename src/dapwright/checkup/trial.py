"""The whole way once: a server is started as an agent does it, and debugs a small Python program."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from dapwright.checkup.finding import Finding

SECONDS = 60.0
PROGRAM = "price = 6\ncount = 7\ntotal = price * count\nprint(total)\n"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "doctor", "version": "1"}}


def trial() -> list[Finding]:
    """Start the server, list its tools, stop a program at a statement and read a value there."""
    with tempfile.TemporaryDirectory(prefix="dapwright-doctor-") as folder:
        program = Path(folder).resolve() / "trial.py"
        program.write_text(PROGRAM, encoding="utf-8")
        began = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "dapwright", "serve"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        bound = threading.Timer(SECONDS, server.kill)
        bound.start()
        try:
            return _play(server, program, began)
        except (OSError, ValueError, LookupError, TypeError) as wrong:
            return [Finding("server", "broken", f"a session with it failed: {wrong!r}")]
        finally:
            bound.cancel()
            server.communicate()


def _play(server: "subprocess.Popen[bytes]", program: Path, began: float) -> list[Finding]:
    _ask(server, 1, "initialize", HELLO)
    tools = _ask(server, 2, "tools/list", {})["tools"]
    listed = time.perf_counter()
    stop = {"file": str(program), "statement": "print(total)"}
    arguments = {"scriptPath": str(program), "breakpoints": [stop], "wait": 40}
    told = _ask(server, 3, "tools/call", {"name": "start_debugging", "arguments": arguments})
    stopped = time.perf_counter()
    answer = told.get("structuredContent", {})
    values = {one["name"]: one["value"] for one in answer.get("locals", ())}
    first = Finding("server", "ok", f"{len(tools)} tools, {(listed - began) * 1000:.0f} ms after its start")
    if values.get("total") != "42":
        why = answer.get("error") or f"it is {answer.get('state', 'unknown')}, and `total` is {values.get('total')}"
        return [
            first,
            Finding("debugging", "broken", f"a Python program was not stopped: {why}", answer.get("hint", "")),
        ]
    seconds = stopped - listed
    return [
        first,
        Finding("debugging", "ok", f"a Python program stopped at a statement, {seconds:.1f} s from the call"),
    ]


def _ask(server: "subprocess.Popen[bytes]", number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    assert server.stdin and server.stdout
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    for line in server.stdout:
        answer: dict[str, Any] = json.loads(line)
        if answer.get("id") == number and "method" not in answer:
            result: dict[str, Any] = answer["result"]
            return result
    raise LookupError(f"the server ended during `{method}`")
