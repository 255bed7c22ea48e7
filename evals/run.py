"""Play fixed policies over the corpus, and print what each costs and shows.

python evals/run.py [--quick] [--policy NAME]... [--only WORD] [--agent "cmd {folder} {test}"]
"""

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]

from corpus import BUGS, Bug  # noqa: E402
from mcp_client import Server  # noqa: E402

QUICK = 8
"""Programs of a quick run: taken evenly over the corpus, in its order."""
STEPS = 12
"""Steps that the stepping policy takes before it gives up."""
SECONDS = 60


@dataclass
class Seen:
    """What an agent read."""

    calls: int = 0
    texts: list[str] = field(default_factory=list)
    characters: int = 0
    seconds: float = 0.0

    def read(self, text: str, other: str = "") -> str:
        """Count an answer by its larger form."""
        self.calls += 1
        self.texts += [text, other]
        self.characters += max(len(text), len(other))
        return text

    def shows(self, value: str) -> bool:
        """Whether a value was read as a whole word: `3` is not in `13`, `x3`, `3.5` or `file.py:3`."""
        whole = re.compile(r"(?<![\w.:])" + re.escape(value) + r"(?![\w]|\.\d)")
        return any(whole.search(text) for text in self.texts)


def forms(server: Server, tool: str, seen: Seen, **arguments: Any) -> dict[str, Any]:
    """Call a tool; both forms of its answer count as read by the larger."""
    import json

    told = server.call(tool, **arguments)
    text = "\n".join(part.get("text", "") for part in server.raw.get("content", []))
    seen.read(text, json.dumps(told, ensure_ascii=False))
    return told


def plain(server: Server, folder: Path, one: Bug, seen: Seen) -> None:
    """Run the test, read the output."""
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test_{one.name}.py"]
    ran = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    seen.read(ran.stdout + ran.stderr)


def stepping(server: Server, folder: Path, one: Bug, seen: Seen) -> None:
    """Stop in the test, step into what it calls, and read every stop."""
    test = str(folder / f"test_{one.name}.py")
    session = forms(
        server,
        "start_debugging",
        seen,
        module="pytest",
        args=["-q", "-p", "no:cacheprovider", test],
        cwd=str(folder),
        executablePath=sys.executable,
        breakpoints=[{"file": test, "function": f"test_{one.name}"}],
        wait=40,
    )
    for _ in range(STEPS):
        if session.get("state") != "paused":
            return
        session = forms(server, "step_into", seen, sessionId=session["sessionId"])
        if seen.shows(one.betrays):
            return


def evidence(server: Server, folder: Path, one: Bug, seen: Seen) -> None:
    """One debug_test; where that leaves the cause open, one investigate on the functions under test."""
    test = str(folder / f"test_{one.name}.py")
    stop = forms(server, "debug_test", seen, test=test, executablePath=sys.executable)
    if seen.shows(one.betrays):
        return
    source = folder / f"{one.name}.py"
    probes = [
        {"file": str(source), "line": number, "capture": names, "maxHits": 6}
        for number, names in returns(source.read_text())
    ]
    forms(server, "investigate", seen, test=test, probes=probes, executablePath=sys.executable)
    if stop.get("sessionId"):
        server.call("close_debug_session", sessionId=stop["sessionId"])


def returns(text: str) -> list[tuple[int, list[str]]]:
    """Each line that returns, with the names assigned in its function: what anybody would look at."""
    import ast

    found = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        names = [one.arg for one in function.args.args if one.arg != "self"]
        names += [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        found += [
            (n.lineno, [*dict.fromkeys(names), ast.unparse(n.value)])
            for n in ast.walk(function)
            if isinstance(n, ast.Return) and n.value is not None
        ]
    return found


POLICIES: dict[str, Callable[[Server, Path, Bug, Seen], None]] = {
    "plain": plain,
    "stepping": stepping,
    "evidence": evidence,
}


def agent(command: str) -> Callable[[Server, Path, Bug, Seen], None]:
    """A command of yours, its output read."""

    def played(server: Server, folder: Path, one: Bug, seen: Seen) -> None:
        words = [word.format(folder=folder, test=f"test_{one.name}.py") for word in shlex.split(command)]
        ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=SECONDS * 10)
        seen.read(ran.stdout + ran.stderr)

    return played


def play(name: str, policy: Callable[[Server, Path, Bug, Seen], None], bugs: list[Bug]) -> list[tuple[Bug, Seen]]:
    """One policy over the corpus, a server and a folder for each bug."""
    played = []
    for one in bugs:
        with tempfile.TemporaryDirectory() as place:
            folder, seen = Path(place).resolve(), Seen()
            (folder / f"{one.name}.py").write_text(one.code, encoding="utf-8")
            (folder / f"test_{one.name}.py").write_text(one.test, encoding="utf-8")
            with Server([sys.executable, "-m", "dapwright", "serve"], cwd=folder) as server:
                began = time.perf_counter()
                policy(server, folder, one, seen)
                seen.seconds = time.perf_counter() - began
            played.append((one, seen))
            mark = "shown " if seen.shows(one.betrays) else "MISSED"
            row = f"{seen.calls:3} calls {seen.characters:7} characters {seen.seconds:5.1f} s"
            print(f"{name:9} {one.name:12} {mark} {row}", flush=True)
    return played


def main() -> int:
    """Play, and print the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} programs instead of all")
    parser.add_argument("--policy", action="append", choices=list(POLICIES))
    parser.add_argument("--only", default="")
    parser.add_argument("--agent", default="")
    asked = parser.parse_args()
    bugs = [one for one in BUGS if asked.only in one.name]
    if asked.quick:
        bugs = bugs[:: max(1, len(bugs) // QUICK)][:QUICK]
    policies = {name: POLICIES[name] for name in asked.policy or POLICIES}
    if asked.agent:
        policies["agent"] = agent(asked.agent)
    sums = {name: play(name, policy, bugs) for name, policy in policies.items()}
    print(f"\n{'policy':10}{'shown':>10}{'in 2 calls':>12}{'calls':>8}{'characters':>12}{'seconds':>9}")
    for name, played in sums.items():
        count = len(played)
        shown = [seen for one, seen in played if seen.shows(one.betrays)]
        short = sum(seen.calls <= 2 for seen in shown)
        means = [sum(getattr(seen, key) for _, seen in played) / count for key in ("calls", "characters", "seconds")]
        print(f"{name:10}{len(shown):6}/{count:<3}{short:8}/{count:<3}{means[0]:8.1f}{means[1]:12.0f}{means[2]:9.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
