"""gdb's own DAP server driven raw: the least that a debug server on top of it can cost.

Both sides do the same work. To the first stop: gdb is started (by its wheel's command, whose Python launcher
takes some 30 ms; ours starts without it where it knows it), told the program and one breakpoint, and the stop is
looked at. A step counts with the stack (20 frames), the scopes and all variables of its top frame but the
registers: what our answer to a step holds. Ours finds the breakpoint's statement in the source besides, arms fatal
signals and panics, redacts, and renders the answer.
"""

import time
from pathlib import Path

from memory import megabytes
from raw_debugpy import BOUND, Adapter, timed

from dapwright import host
from dapwright.adapters import _gdb

STEPS = 15
"""How many steps a run's figure is the median of: some lines cost several times what others do."""


def command() -> str:
    """The gdb that dapwright itself would take.

    Raises:
        SystemExit: there is none.
    """
    found = _gdb.candidates(host.machine())
    if not found:
        raise SystemExit("bench: there is no gdb that speaks DAP")
    return found[0]


def measure(program: Path, source: Path, line: int) -> dict[str, float | None]:
    """Return the figures of one run, under the names that bench/versus_peer.py uses."""
    figures: dict[str, float | None] = {}
    began = time.perf_counter()
    adapter = Adapter(program.parent, [command(), "-q", "-i=dap"])
    try:
        adapter.ask("initialize", adapterID="gdb", clientID="bench", linesStartAt1=True, pathFormat="path")
        launched = adapter.send("launch", program=str(program), cwd=str(program.parent))
        adapter.event("initialized")
        adapter.ask("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": line}])
        adapter.ask("configurationDone")
        adapter.answer(launched)
        thread = adapter.event("stopped")["threadId"]

        def look() -> None:
            here = adapter.ask("stackTrace", threadId=thread, levels=20)["stackFrames"][0]["id"]
            for scope in adapter.ask("scopes", frameId=here)["scopes"]:
                if scope.get("presentationHint") != "registers":
                    adapter.ask("variables", variablesReference=scope["variablesReference"])

        def step() -> None:
            adapter.ask("next", threadId=thread)
            adapter.event("stopped")
            look()

        look()
        figures["create to first stop ms"] = (time.perf_counter() - began) * 1000
        figures["paused MB"] = megabytes(adapter.process.pid)
        figures["step ms"] = timed(step, STEPS)
    finally:
        adapter.process.kill()
        adapter.process.communicate(timeout=BOUND)
    return figures
