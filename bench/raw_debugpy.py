"""debugpy driven raw: the least that a debug server on top of it can cost.

One adapter on its standard streams, a launch, the first stop, then looks and steps: each figure is the
time from the first request's first byte to the last answer's last byte.
"""

import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory import megabytes

BOUND = 60.0
"""Seconds that one launch may take."""
ADAPTER = [sys.executable, "-m", "debugpy.adapter"]


class Adapter:
    """A debug adapter on a pipe, asked one thing at a time."""

    def __init__(self, cwd: Path, argv: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            argv or ADAPTER, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._seq = itertools.count(1)
        self._kept: list[dict[str, Any]] = []

    def send(self, command: str, **arguments: Any) -> int:
        """Send a request; return its number."""
        seq = next(self._seq)
        message = {"seq": seq, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        return seq

    def answer(self, seq: int) -> dict[str, Any]:
        """Wait for the answer to request `seq`; return its body."""
        reply = self._wait(lambda message: message.get("request_seq") == seq)
        assert reply["success"], reply
        return reply.get("body") or {}

    def event(self, name: str) -> dict[str, Any]:
        """Wait for an event that was not taken yet; return its body."""
        return self._wait(lambda message: message.get("event") == name).get("body") or {}

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        return self.answer(self.send(command, **arguments))

    def _wait(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for message in self._kept:
            if fits(message):
                self._kept.remove(message)
                return message
        while not fits(message := self._read()):
            self._kept.append(message)
        return message

    def _read(self) -> dict[str, Any]:
        size = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        if not size:
            raise EOFError("the adapter closed its output")
        return json.loads(self.process.stdout.read(size))


def launch(adapter: Adapter, program: Path, line: int) -> int:
    """Launch `program` and run to a breakpoint at `line`; return the thread that stands there."""
    adapter.ask("initialize", adapterID="debugpy", clientID="bench", linesStartAt1=True, pathFormat="path")
    launched = adapter.send(
        "launch", program=str(program), cwd=str(program.parent), console="internalConsole", python=[sys.executable]
    )
    adapter.event("initialized")
    adapter.ask("setBreakpoints", source={"path": str(program)}, breakpoints=[{"line": line}])
    adapter.ask("setExceptionBreakpoints", filters=["uncaught"])
    adapter.ask("configurationDone")
    adapter.answer(launched)
    return adapter.event("stopped")["threadId"]


def timed(act: Callable[[], object], times: int = 5) -> float:
    """Return the median of `times` runs in milliseconds."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def measure(program: Path, line: int) -> dict[str, float | None]:
    """Return the figures of one run, under the names that bench/versus_peer.py uses."""
    figures: dict[str, float | None] = {}
    began = time.perf_counter()
    adapter = Adapter(program.parent)
    try:
        thread = launch(adapter, program, line)
        figures["create to first stop ms"] = (time.perf_counter() - began) * 1000
        figures["paused MB"] = megabytes(adapter.process.pid)

        def frame() -> int:
            return adapter.ask("stackTrace", threadId=thread, levels=20)["stackFrames"][0]["id"]

        def look() -> None:
            for scope in adapter.ask("scopes", frameId=here)["scopes"][:1]:
                adapter.ask("variables", variablesReference=scope["variablesReference"])

        def step() -> None:
            adapter.ask("next", threadId=thread)
            adapter.event("stopped")

        here = frame()
        figures["locals ms"] = timed(look)
        figures["evaluate ms"] = timed(lambda: adapter.ask("evaluate", expression="1 + 1", frameId=here))
        figures["stack ms"] = timed(frame)
        figures["step ms"] = timed(step)
        began = time.perf_counter()
        adapter.ask("disconnect", terminateDebuggee=True)
        adapter.process.communicate(timeout=BOUND)  # it ends with its input, not with the disconnect
        figures["close ms"] = (time.perf_counter() - began) * 1000
    finally:
        adapter.process.kill()
        adapter.process.communicate(timeout=BOUND)
    return figures
