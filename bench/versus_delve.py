"""Ours beside Delve driven raw: to the first stop, and a step with its place, frames and locals, turn by turn.

    python bench/versus_delve.py [--steps N]

Both debug the same program, built beforehand. A raw step is `next`, its `stopped`, and the stack, scopes
and variables of the top frame: what our answer holds. The lower decile is told: a machine has other
work too, and here each figure is a handful of turns of three processes.
"""

import argparse
import asyncio
import itertools
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
from live.driver import driver  # noqa: E402

SOURCE = """package main

func main() {
	sum := 0
	for n := 0; n < 1000000; n++ { // loop
		sum += n
	}
	println(sum)
}
"""


class Raw:
    """A `dlv dap` of our own, asked one thing at a time."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            ["dlv", "dap", "--listen=127.0.0.1:0"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdout
        port = int(self.process.stdout.readline().rsplit(b":", 1)[1])
        self.socket = socket.create_connection(("127.0.0.1", port), 20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self._seq = itertools.count(1)

    def ask(self, command: str, wait: str = "", **arguments: Any) -> dict[str, Any]:
        """Send a request; return the body of its answer, or of the event `wait`."""
        message = {"seq": next(self._seq), "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        while True:
            length = int(self.file.readline().split(b":")[1])
            self.file.readline()
            message = json.loads(self.file.read(length))
            if message.get("event") == wait or (not wait and message.get("command") == command):
                return message.get("body") or {}

    def look(self, thread: int) -> None:
        """The stack, scopes and locals of a stop."""
        frame = self.ask("stackTrace", threadId=thread, startFrame=0, levels=20)["stackFrames"][0]
        for scope in self.ask("scopes", frameId=frame["id"])["scopes"]:
            self.ask("variables", variablesReference=scope["variablesReference"])

    def launch(self, program: Path, line: int) -> int:
        """To the first stop; its thread."""
        self.ask("initialize", clientID="bench", linesStartAt1=True, pathFormat="path", supportsVariableType=True)
        self.ask("launch", wait="initialized", mode="exec", program=str(program), outputMode="remote")
        self.ask("setBreakpoints", source={"path": f"{program}.go"}, breakpoints=[{"line": line}])
        thread = int(self.ask("configurationDone", wait="stopped")["threadId"])
        self.ask("setBreakpoints", source={"path": f"{program}.go"}, breakpoints=[])
        self.look(thread)
        return thread

    def step(self, thread: int) -> None:
        self.ask("next", wait="stopped", threadId=thread)
        self.look(thread)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def built(folder: Path) -> Path:
    """The program, with its source beside it."""
    program = folder / "loop"
    Path(f"{program}.go").write_text(SOURCE)
    subprocess.run(["go", "build", "-gcflags=all=-N -l", "-o", program, f"{program}.go"], check=True, cwd=folder)
    return program


async def measure(folder: Path, steps: int) -> dict[str, float]:
    program = built(folder)
    line = next(number for number, text in enumerate(SOURCE.splitlines(), 1) if "sum +=" in text)
    taken: dict[str, list[float]] = {name: [] for name in ("raw launch", "our launch", "raw step", "our step")}

    def took(name: str, began: float) -> None:
        taken[name].append((time.perf_counter() - began) * 1000)

    for _ in range(5):
        began = time.perf_counter()
        raw = Raw(folder)
        thread = raw.launch(program, line)
        took("raw launch", began)
        async with driver() as ours:
            began = time.perf_counter()
            place = {"file": f"{program}.go", "line": line}
            await ours.ok("start_debugging", language="go", scriptPath=str(program), breakpoints=[place], wait=40)
            took("our launch", began)
            await ours.ok("clear_breakpoints")
            for _ in range(steps):
                began = time.perf_counter()
                raw.step(thread)
                took("raw step", began)
                began = time.perf_counter()
                await ours.ok("step_over")
                took("our step", began)
        raw.close()
    return {name: statistics.quantiles(all_of, n=10, method="inclusive")[0] for name, all_of in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder).resolve(), parser.parse_args().steps))
    for name, milliseconds in found.items():
        print(f"{name:<11} {milliseconds:8.2f} ms")
    times, more = found["our launch"] / found["raw launch"], found["our step"] - found["raw step"]
    print(f"launch: {times:.2f} of raw; step: {more:+.2f} ms")


if __name__ == "__main__":
    main()
