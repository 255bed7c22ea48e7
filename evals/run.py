"""Play fixed policies over the corpus, and print what each costs and shows.

python evals/run.py [--policy NAME]... [--only WORD] [--every N] [--json FILE] [--agent "cmd {folder} {test}"]
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]

import bugs  # noqa: E402
from bugs import Bug  # noqa: E402
from mcp_client import Server  # noqa: E402
from policies import POLICIES, Policy  # noqa: E402
from policies.agent import agent  # noqa: E402
from policies.reading import Seen  # noqa: E402

GROWN = 30
"""Lines from which on a program counts as a grown one."""


def play(name: str, policy: Policy, corpus: Sequence[Bug]) -> list[tuple[Bug, Seen]]:
    """One policy over the corpus, a server and a folder for each bug."""
    played = []
    for bug in corpus:
        with tempfile.TemporaryDirectory() as place:
            folder, seen = Path(place).resolve(), Seen(bug.value.betrays)
            bug.write(folder)
            (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
            with Server([sys.executable, "-m", "dapwright", "serve"], cwd=folder) as server:
                began = time.perf_counter()
                policy(server, folder, bug, seen)
                seen.seconds = time.perf_counter() - began
        played.append((bug, seen))
        mark = "shown " if seen.shown else "MISSED"
        row = f"{seen.calls:3} calls {seen.characters:7,} characters {seen.seconds:5.1f} s"
        print(f"{name:14} {bug.name:12} {mark} {row}", flush=True)
    return played


def summary(title: str, sums: dict[str, list[tuple[Bug, Seen]]]) -> None:
    """Print the means of each policy."""
    count = len(next(iter(sums.values())))
    if not count:
        return
    print(f"\n{title}: {count} programs")
    print(f"{'policy':16}{'shown':>8}{'in 2 calls':>12}{'calls':>8}{'characters':>12}{'seconds':>9}")
    for name, played in sums.items():
        shown = [seen for _, seen in played if seen.shown]
        short = sum(seen.calls <= 2 for seen in shown)
        means = [sum(getattr(seen, key) for _, seen in played) / count for key in ("calls", "characters", "seconds")]
        print(f"{name:16}{len(shown):8}{short:12}{means[0]:8.1f}{means[1]:12,.0f}{means[2]:9.1f}")


def parts(sums: dict[str, list[tuple[Bug, Seen]]]) -> None:
    """The whole corpus; the small and the grown programs; those whose value the runner's own output holds, and not."""
    summary("all", sums)
    plain = {bug.name for bug, seen in sums.get("plain", ()) if seen.shown}
    for title, wanted in (
        (f"of less than {GROWN} lines", lambda bug: bug.lines < GROWN),
        (f"of {GROWN} lines and more", lambda bug: bug.lines >= GROWN),
        ("whose value the runner's own output holds", lambda bug: bug.name in plain),
        ("whose value it does not hold", lambda bug: bug.name not in plain),
    ):
        if plain or "lines" in title:
            summary(title, {name: [row for row in rows if wanted(row[0])] for name, rows in sums.items()})


def main() -> int:
    """Play, and print the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--policy", action="append", choices=list(POLICIES))
    parser.add_argument("--only", default="", help="programs with this in their name")
    parser.add_argument("--every", type=int, default=1, help="each Nth program alone")
    parser.add_argument("--json", default="", help="where to write a row for each program and policy")
    parser.add_argument("--agent", default="", help="a command of yours, with {folder} and {test}")
    asked = parser.parse_args()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
        "1"  # what this interpreter's plugins say of themselves is no evidence
    )
    corpus = bugs.every(asked.only)[:: asked.every]
    policies = {name: POLICIES[name] for name in asked.policy or POLICIES}
    if asked.agent:
        policies["agent"] = agent(asked.agent)
    sums = {name: play(name, policy, corpus) for name, policy in policies.items()}
    parts(sums)
    if asked.json:
        rows = [
            {"policy": name, "bug": bug.name, "shown": seen.shown, "calls": seen.calls, "characters": seen.characters}
            for name, played in sums.items()
            for bug, seen in played
        ]
        Path(asked.json).write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
