"""What a condition costs that is false at every one of 20,000 hits: gdb as it comes, ours, and gdb's other ways.

    bench/false_condition.py [-n 3] [--hits 20000] [--only NAMES]

gdb raw     its own DAP server, a breakpoint with a condition
gdb count   the same with a hit condition that is never reached (gdb's ignore count)
ours        our server on the same gdb, a breakpoint with that condition
our count   the same with `hitCondition`
gdbserver   gdb with its gdbserver, which evaluates conditions beside the program (`condition-evaluation target`)
bare        our server without a breakpoint: what a launch and an exit cost alone
lldb        our server on lldb-dap, where there is one

Each run goes from the launch to the exit. Told are seconds as the clock has them and as all processors have
them (of the debugger, the program and the server; the client left out), the medians of the rounds, which are
interleaved. The difference to `bare`, divided by the hits, is the cost of one.
"""

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import raw_gdb
from mcp_client import Server
from raw_debugpy import BOUND, Adapter
from versus_peer import PATH, PROGRAMS

STATEMENT = "sum += i;"
FALSE = "i == 30000000"
Run = Callable[[Path, Path, int], None]


def raw(program: Path, source: Path, hits: int, **wish: str) -> None:
    """Drive gdb's own DAP server to the program's end."""
    adapter = Adapter(program.parent, [raw_gdb.command(), "-q", "-nx", "-i=dap"])
    adapter.ask("initialize", adapterID="gdb", linesStartAt1=True)
    launched = adapter.send("launch", program=str(program), args=[str(hits)], cwd=str(program.parent))
    adapter.event("initialized")
    adapter.ask("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": line_of(source), **wish}])
    adapter.ask("configurationDone")
    adapter.answer(launched)
    adapter.event("exited")
    adapter.send("disconnect", terminateDebuggee=True)
    adapter.process.communicate(timeout=BOUND)


def ours(program: Path, source: Path, hits: int, debugger: str = "", **wish: str) -> None:
    """Have our server run it to its end."""
    more = {"debugger": debugger} if debugger else {}
    with Server([sys.executable, "-m", "dapwright", "serve"], cwd=program.parent, env=PATH) as server:
        session = server.call("create_debug_session", language="c")["sessionId"]
        if wish:
            server.call("set_breakpoint", sessionId=session, file=str(source), statement=STATEMENT, **wish)
        told = server.call(
            "start_debugging", sessionId=session, scriptPath=str(program), args=[str(hits)], wait=45, **more
        )
        while told["state"] in ("starting", "running"):
            told = server.call("wait_for_stop", sessionId=session, timeout=45_000)
        assert told["state"] == "stopped" and told.get("exitCode") == 0, told


def gdbserver(program: Path, source: Path, hits: int) -> None:
    """gdb with gdbserver behind a pipe, which evaluates the condition itself."""
    gdb = raw_gdb.command()
    remote = f"target remote | {gdb}server --once - {program} {hits}"
    place = f"break {source.name}:{line_of(source)} if {FALSE}"
    argv = [gdb, "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", "set sysroot /", "-ex", remote]
    argv += ["-ex", "set breakpoint condition-evaluation target", "-ex", place, "-ex", "continue", str(program)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=600)
    assert "exited normally" in done.stdout, done.stdout + done.stderr


def line_of(source: Path) -> int:
    """Where the statement stands."""
    return next(number for number, text in enumerate(source.read_text().splitlines(), 1) if STATEMENT in text)


WAYS: dict[str, Run] = {
    "gdb raw": lambda *at: raw(*at, condition=FALSE),
    "gdb count": lambda *at: raw(*at, hitCondition="30000000"),
    "ours": lambda *at: ours(*at, condition=FALSE),
    "our count": lambda *at: ours(*at, hitCondition="30000000"),
    "gdbserver": gdbserver,
    "bare": lambda *at: ours(*at),
}
if shutil.which("lldb-dap"):
    WAYS["lldb"] = lambda *at: ours(*at, debugger="lldb", condition=FALSE)


def timed(run: Run, *at: object) -> tuple[float, float]:
    """Seconds by the clock, and of processors by all that ran and ended."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(*at)  # type: ignore[arg-type]
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=3, help="rounds; each way runs once a round")
    parser.add_argument("--hits", type=int, default=20_000)
    parser.add_argument("--only", default=",".join(WAYS), help="the ways, separated by commas")
    options = parser.parse_args()
    taken: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        source = Path(shutil.copy(PROGRAMS / "hot.c", folder)).resolve()
        program = source.with_suffix("")
        subprocess.run(["gcc", "-g", "-O0", source, "-o", program], check=True, timeout=120)
        for _ in range(options.n):
            for name in options.only.split(","):
                taken.setdefault(name, []).append(timed(WAYS[name], program, source, options.hits))
    medians = {name: [statistics.median(one[k] for one in runs) for k in (0, 1)] for name, runs in taken.items()}
    idle = medians.get("bare", [0.0, 0.0])
    print(f"{'':12}{'clock s':>9}{'cpu s':>8}{'us a hit':>10}{'cpu us':>8}")
    for name, (clock, processor) in medians.items():
        each = [(value - base) / options.hits * 1e6 for value, base in zip((clock, processor), idle, strict=True)]
        print(f"{name:12}{clock:9.2f}{processor:8.2f}{each[0]:10.0f}{each[1]:8.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
