"""What a probe costs: a hit of ours beside debugpy's own logpoint, and beside the program run plain.

    python bench/probe_cost.py [HITS]

The program times its own loop, so that no start-up is counted. Times are milliseconds for all hits.
"""

import re
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from mcp_client import Server
from raw_debugpy import Adapter

PROGRAM = Path(__file__).parent / "programs" / "counting.py"
LINE = next(n for n, text in enumerate(PROGRAM.read_text().splitlines(), 1) if "total += number" in text)
RUNS = 3
LIMIT = 1.5
"""The most that a hit of ours may cost, in hits of a plain logpoint."""


def took(text: str) -> float:
    """The program's own word."""
    found = re.search(r"took=([\d.]+)", text)
    assert found, text
    return float(found[1])


def plain(hits: int) -> float:
    """The loop without a debugger."""
    ran = subprocess.run(
        [sys.executable, str(PROGRAM), str(hits)], capture_output=True, text=True, check=True, timeout=60
    )
    return took(ran.stderr)


def debugpy(hits: int, breakpoints: list[dict[str, Any]]) -> float:
    """The loop under debugpy, driven raw."""
    adapter = Adapter(PROGRAM.parent)
    try:
        adapter.ask("initialize", adapterID="debugpy", clientID="bench", linesStartAt1=True, pathFormat="path")
        launched = adapter.send(
            "launch",
            program=str(PROGRAM),
            args=[str(hits)],
            cwd=str(PROGRAM.parent),
            console="internalConsole",
            python=[sys.executable],
        )
        adapter.event("initialized")
        adapter.ask("setBreakpoints", source={"path": str(PROGRAM)}, breakpoints=breakpoints)
        adapter.ask("configurationDone")
        adapter.answer(launched)
        while True:
            text = adapter.event("output").get("output", "")
            if "took=" in text:
                return took(text)
    finally:
        adapter.process.kill()
        adapter.process.communicate(timeout=60)


def ours(hits: int, most: int) -> float:
    """The loop with a probe that captures two values; rows beyond `most` are counted alone."""
    with Server([sys.executable, "-m", "dapwright", "serve"], cwd=PROGRAM.parent) as server:
        probe = {"file": str(PROGRAM), "line": LINE, "capture": ["number", "total"], "maxHits": most}
        told = server.call(
            "investigate", scriptPath=str(PROGRAM), args=[str(hits)], probes=[probe], executablePath=sys.executable
        )
        assert told["probes"][0]["hits"] == hits, told["probes"]
        return took(told["output"])


def main() -> int:
    """Print the figures; fail where a probe costs more than it may."""
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    logpoint = [{"line": LINE, "logMessage": "number={number} total={total}"}]
    figures = {
        "plain": [plain(hits) for _ in range(RUNS)],
        "under debugpy, no breakpoint": [debugpy(hits, []) for _ in range(RUNS)],
        "debugpy logpoint": [debugpy(hits, logpoint) for _ in range(RUNS)],
        "probe, every row": [ours(hits, 0) for _ in range(RUNS)],
        "probe, counting after 10 rows": [ours(hits, 10) for _ in range(RUNS)],
    }
    print(f"Python {sys.version.split()[0]}, {hits} hits")
    middle = {name: statistics.median(times) for name, times in figures.items()}
    for name, time in middle.items():
        print(f"{name:32}{time:10.1f} ms {time / hits * 1000:9.1f} us a hit {time / middle['plain']:9.1f} x plain")
    ratio = middle["probe, every row"] / middle["debugpy logpoint"]
    print(f"a probe's hit costs {ratio:.2f} of a plain logpoint's (at most {LIMIT})")
    return ratio > LIMIT


if __name__ == "__main__":
    sys.exit(main())
