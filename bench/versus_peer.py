"""Measure dapwright beside the peer and beside debugpy driven raw: same program, same machine, in turn.

    bench/versus_peer.py [-n 7] [--case python] [--only peer,raw] [--json FILE] [--strict]

Both servers are driven by tool names that both know. Prints medians, our ratio to each of the others,
and the limit that we set ourselves. With --strict a ratio over its limit makes the exit code 1.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import peer
import raw_debugpy
import raw_gdb
import raw_jvm
from mcp_client import Refused, Server
from memory import megabytes

PROGRAMS = Path(__file__).parent / "programs"
PATH = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])}
"""So that the program runs, for all alike, in the Python that has debugpy."""
Figures = dict[str, float | None]


class Case(NamedTuple):
    """A program, the statement to stop at, and the limits: the highest ratio to the peer, and to raw."""

    language: str
    program: str
    statement: str
    to_peer: dict[str, float]
    to_raw: dict[str, float]
    build: tuple[str, ...] = ()
    """The compiler's command, `{source}`, `{program}` and `{folder}` to be filled in."""
    built: str = "{program}"
    """What is launched of what the build made; the rest of the launch is `more`."""
    more: Callable[[Path], dict[str, Any]] = lambda source: {}

    def made(self, folder: Path) -> tuple[Path, Path]:
        """Copy the source into a folder and build it; the source and what is launched."""
        source = Path(shutil.copy(PROGRAMS / self.program, folder)).resolve()
        if not self.build:
            return source, source
        places = {"source": source, "program": source.with_suffix(""), "folder": source.parent}
        subprocess.run([word.format(**places) for word in self.build], check=True, timeout=120)
        return source, Path(self.built.format(**places))


NATIVE = {"create to first stop ms": 0.5, "step ms": 0.2}, {"create to first stop ms": 1.15, "step ms": 1.15}
CASES = {
    "python": Case(
        "python",
        "orders.py",
        "total = total + price",
        {"ready ms": 0.5, "create to first stop ms": 0.5, "paused MB": 0.6, "locals ms": 0.05, "step ms": 0.1},
        {"create to first stop ms": 1.15},
    ),
    "javascript": Case(
        "javascript",
        "cart.js",
        "const total = item.price * item.count;",
        {"ready ms": 0.5, "create to first stop ms": 0.3, "paused MB": 0.5, "locals ms": 0.05, "step ms": 0.1},
        {},
    ),
    "cpp": Case(
        "cpp", "orders.cpp", "total = total + price", *NATIVE, ("g++", "-g", "-O0", "{source}", "-o", "{program}")
    ),
    "rust": Case("rust", "orders.rs", "total = total + price", *NATIVE, ("rustc", "-g", "{source}", "-o", "{program}")),
    "java": Case(
        "java",
        "Orders.java",
        "total = total + price;",
        {"ready ms": 0.5, "create to first stop ms": 0.15, "paused MB": 0.7, "step ms": 0.05},
        {},
        ("javac", "-g", "-d", "{folder}", "{source}"),
        "{source}",
        lambda source: {"adapterLaunchConfig": {"mainClass": source.stem, "classpath": str(source.parent)}},
    ),
}
ABSOLUTE = {"ready ms": 250.0, "idle MB": 40.0}
"""What our own server may take, whatever the others take."""
LOOKS = (
    ("locals ms", "get_local_variables", {}),
    ("evaluate ms", "evaluate_expression", {"expression": "1 + 1"}),
    ("stack ms", "get_stack_trace", {}),
    ("step ms", "step_over", {}),
)


def measure_server(argv: list[str], case: Case) -> Figures:
    """Return the figures of one run of one server, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        source, program = case.made(Path(folder))
        began = time.perf_counter()
        with Server(argv, cwd=Path(folder), env=PATH) as server:
            tools = server.request("tools/list", {})["tools"]
            figures: Figures = {"ready ms": (time.perf_counter() - began) * 1000}
            seen = [{key: tool[key] for key in ("name", "description", "inputSchema") if key in tool} for tool in tools]
            figures["tool list bytes"] = len(json.dumps(seen, separators=(",", ":")))
            figures["idle MB"] = megabytes(server.process.pid)
            began = time.perf_counter()
            session = run_to_stop(server, case, str(source), str(program))
            figures["create to first stop ms"] = (time.perf_counter() - began) * 1000
            figures["paused MB"] = megabytes(server.process.pid)
            figures |= look(server, session, raw_gdb.STEPS if case.build else 5)
    return figures


def run_to_stop(server: Server, case: Case, source: str, program: str) -> str:
    """Create a session, run it to the statement's first stop, and return its id."""
    session = server.call("create_debug_session", language=case.language)["sessionId"]
    server.call("set_breakpoint", sessionId=session, file=source, statement=case.statement)
    launch = {"scriptPath": program, **case.more(Path(source))}
    state = server.call("start_debugging", sessionId=session, **launch).get("state")
    end = time.monotonic() + 60
    while state != "paused":
        assert time.monotonic() < end, f"no stop after 60 s: {state}"
        try:
            state = server.call("wait_for_stop", sessionId=session, timeout=20000).get("state")
        except Refused:  # the peer's session may be paused already
            listed = server.call("list_debug_sessions")["sessions"]
            state = next((one["state"] for one in listed if one["id"] == session), None)
            time.sleep(0.01)
    return session


def look(server: Server, session: str, steps: int) -> Figures:
    """Time each way to look at a paused session, `steps` steps, and its end."""
    figures: Figures = {}
    for name, tool, arguments in LOOKS:
        took = []
        for _ in range(steps if tool == "step_over" else 5):
            server.call(tool, sessionId=session, **arguments)
            took.append(server.seconds * 1000)
            if name.startswith(("locals", "step")):
                figures[name.replace("ms", "answer bytes")] = len(json.dumps(server.raw["content"]))
        figures[name] = statistics.median(took)
    server.call("close_debug_session", sessionId=session)
    figures["close ms"] = server.seconds * 1000
    return figures


def measure_raw(case: Case) -> Figures:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        source, program = case.made(Path(folder))
        lines = source.read_text().splitlines()
        line = next(number for number, text in enumerate(lines, 1) if case.statement in text)
        if case.language == "java":
            return raw_jvm.measure(source, line)
        return raw_gdb.measure(program, source, line) if case.build else raw_debugpy.measure(program, line)


def contenders(case: Case, only: list[str]) -> dict[str, Callable[[], Figures]]:
    found: dict[str, Callable[[], Figures]] = {}
    if "dapwright" in only:
        found["dapwright"] = lambda: measure_server([sys.executable, "-m", "dapwright", "serve"], case)
    if "peer" in only:
        command = peer.install()
        found["peer"] = lambda: measure_server(command, case)
    if "raw" in only and case.language != "javascript":
        found["raw"] = lambda: measure_raw(case)
    return found


def medians(runs: list[Figures]) -> Figures:
    """Return the median of each figure over the runs that have it."""
    names = dict.fromkeys(name for run in runs for name in run)
    known = {name: [run[name] for run in runs if run.get(name) is not None] for name in names}
    return {name: statistics.median(values) if values else None for name, values in known.items()}


def verdict(name: str, value: float, limits: list[tuple[float | None, float | None]]) -> str:
    """Say whether each (ratio, limit) holds, and the absolute limit of our own figure."""
    broken = [f"{ratio:.2f} > {limit}" for ratio, limit in limits if ratio and limit and ratio > limit]
    if name in ABSOLUTE and value > ABSOLUTE[name]:
        broken.append(f"{value:.0f} > {ABSOLUTE[name]:.0f}")
    if broken:
        return "OVER " + ", ".join(broken)
    return "ok" if name in ABSOLUTE or any(limit for _, limit in limits) else ""


def show(case: Case, results: dict[str, Figures]) -> bool:
    """Print the table; return whether every limit holds."""
    names = dict.fromkeys(name for figures in results.values() for name in figures)
    heads = [f"{who:>11}" for who in results]
    print(f"{'':26}{''.join(heads)}{'/peer':>8}{'limit':>7}{'/raw':>8}{'limit':>7}")
    fine = True
    for name in names:
        row = {who: figures.get(name) for who, figures in results.items()}
        ours = row.get("dapwright")
        cells = "".join(f"{value:11.1f}" if value is not None else f"{'-':>11}" for value in row.values())
        ratios = [(ours / other if ours and (other := row.get(who)) else None) for who in ("peer", "raw")]
        limits = [case.to_peer.get(name), case.to_raw.get(name)]
        pairs = list(zip(ratios, limits, strict=True))
        for ratio, limit in pairs:
            cells += f"{ratio:8.2f}" if ratio else f"{'-':>8}"
            cells += f"{limit:7}" if limit else f"{'':>7}"
        said = verdict(name, ours, pairs) if ours else ""
        fine = fine and not said.startswith("OVER")
        print(f"{name:26}{cells}  {said}".rstrip())
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=5, help="rounds; each contender runs once a round")
    parser.add_argument("--case", choices=CASES, default="python")
    parser.add_argument("--only", default="dapwright,peer,raw", help="the contenders, separated by commas")
    parser.add_argument("--json", type=Path, help="write the medians there too")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a limit is broken")
    options = parser.parse_args()
    case = CASES[options.case]
    runs: dict[str, list[Figures]] = {}
    chosen = contenders(case, options.only.split(","))
    for _ in range(options.n):
        for who, run in chosen.items():
            runs.setdefault(who, []).append(run())
    results = {who: medians(figures) for who, figures in runs.items()}
    fine = show(case, results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return 0 if fine or not options.strict else 1


if __name__ == "__main__":
    sys.exit(main())
