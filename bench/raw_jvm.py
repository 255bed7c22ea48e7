"""Our engine for the JVM driven raw: what the server on top of it costs.

A step counts with the stack, scopes and variables of its top frame: what our answer to a step holds.
The first stop is timed twice: from the engine's start, and from its first answer on (the server has it warm).
"""

import sys
import time
from pathlib import Path

from memory import megabytes
from raw_debugpy import BOUND, Adapter, timed

ENGINE = [sys.executable, "-m", "dapwright", "adapter", "jvm"]


def measure(source: Path, line: int) -> dict[str, float | None]:
    """Return the figures of one run, under the names that bench/versus_peer.py uses."""
    figures: dict[str, float | None] = {}
    began = time.perf_counter()
    adapter = Adapter(source.parent, ENGINE)
    try:
        adapter.ask("initialize", adapterID="java", clientID="bench", linesStartAt1=True, pathFormat="path")
        warm = time.perf_counter()
        launched = adapter.send("launch", mainClass=source.stem, classpath=[str(source.parent)], cwd=str(source.parent))
        adapter.event("initialized")
        adapter.ask("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": line}])
        adapter.ask("configurationDone")
        adapter.answer(launched)
        thread = adapter.event("stopped")["threadId"]

        def frame() -> int:
            return adapter.ask("stackTrace", threadId=thread, levels=20)["stackFrames"][0]["id"]

        def look() -> None:
            for scope in adapter.ask("scopes", frameId=frame())["scopes"][:1]:
                adapter.ask("variables", variablesReference=scope["variablesReference"])

        def step() -> None:
            adapter.ask("next", threadId=thread)
            adapter.event("stopped")
            look()

        look()
        stopped = time.perf_counter()
        figures["create to first stop ms"] = (stopped - began) * 1000
        figures["warm to first stop ms"] = (stopped - warm) * 1000
        figures["paused MB"] = megabytes(adapter.process.pid)
        figures["locals ms"] = timed(look)
        here = frame()
        figures["evaluate ms"] = timed(lambda: adapter.ask("evaluate", expression="1 + 1", frameId=here))
        figures["stack ms"] = timed(frame)
        figures["step ms"] = timed(step)
    finally:
        adapter.process.kill()
        adapter.process.communicate(timeout=BOUND)
    return figures
