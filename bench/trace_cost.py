"""What a focused trace costs: a real program under our tracer beside the program run plain.

    python bench/trace_cost.py [--rounds N] [INTERPRETER...]

The program times itself, so that no start-up is counted; the runs alternate, and the fastest of each
kind is compared (a busy machine only ever adds). Fails where Python 3.12 or later is slowed down more
than twice by a focused trace; before 3.12 there is no `sys.monitoring`, and the figure is only told.
"""

import argparse
import json
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent
PROGRAM = HERE / "programs" / "unparsing.py"
TRACER = HERE.parent / "src" / "dapwright" / "inject" / "python_tracer.py"
RUNS = 2
LIMIT = 2.0
"""The most that a focused trace may slow a program down, from Python 3.12 on."""
FOCUSES = {
    "the program's own functions": [],
    "one class of a library, one method": ["_Unparser.visit_FunctionDef"],
    "a method that is called all the time": ["_Unparser.visit_Name"],
}
COUNTED = "a method that is called all the time"
"""Its cost is a call's, times their number: told, and not held to the limit."""


class Sink:
    """The other end of the tracer's connection; `events` counts what came."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.events = 0
        self.thread = threading.Thread(target=self._take, daemon=True)
        self.thread.start()

    def _take(self) -> None:
        connection, _ = self.listener.accept()
        with connection, connection.makefile("rb") as lines:
            lines.readline()
            connection.sendall(b"ok\n")
            for line in lines:
                self.events += len(json.loads(line).get("events", ()))

    def close(self) -> int:
        """Wait for the end of what is told; how many events there were."""
        self.thread.join(30)
        self.listener.close()
        return self.events


def took(argv: list[str]) -> float:
    """The program's own word, in milliseconds."""
    ran = subprocess.run(argv, capture_output=True, text=True, timeout=120, cwd=PROGRAM.parent)
    found = re.search(r"took=([\d.]+)", ran.stderr)
    assert found, ran.stderr
    return float(found[1])


def traced(python: str, rounds: int, focus: list[str]) -> tuple[float, int]:
    """The program under the tracer: milliseconds, and the events that were told."""
    sink = Sink()
    to = [sink.listener.getsockname()[1], "secret"]
    config = {"to": to, "focus": focus, "most": 20_000, "cwd": str(PROGRAM.parent)}
    time = took([python, str(TRACER), json.dumps(config), str(PROGRAM), str(rounds)])
    return time, sink.close()


def measure(python: str, rounds: int) -> bool:
    """Print one interpreter's figures; whether it keeps the limit."""
    asked = "import sys; print('.'.join(map(str, sys.version_info[:3])), hasattr(sys, 'monitoring'))"
    version, monitoring = subprocess.check_output([python, "-c", asked], text=True).split()
    plain, times, events = [], {name: [] for name in FOCUSES}, {}
    for _ in range(RUNS):
        plain.append(took([python, str(PROGRAM), str(rounds)]))
        for name, focus in FOCUSES.items():
            time, events[name] = traced(python, rounds, focus)
            times[name].append(time)
    print(f"Python {version}: plain {min(plain):.0f} ms")
    kept = True
    for name in FOCUSES:
        ratio = min(times[name]) / min(plain)
        held = monitoring == "True" and name != COUNTED
        kept &= not held or ratio <= LIMIT
        said = f" (at most {LIMIT})" if held else ""
        print(f"  {name:40}{events[name]:7} events {min(times[name]):8.0f} ms {ratio:6.2f} x plain{said}", flush=True)
    return kept


def main() -> int:
    """Measure each interpreter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("interpreters", nargs="*", default=[sys.executable])
    asked = parser.parse_args()
    kept = [measure(python, asked.rounds) for python in asked.interpreters]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
