"""Compare the addressing modes: the same tasks, the same agent, one arm after the other.

python evals/addressing/run.py --agent "CMD {prompt} {mcp_config}" [--model NAME] [--arm ARM]... [--task NAME]...
                               [--repeat N] [--out FOLDER]

The agent is any command: it is given a prompt and the path of an MCP configuration that holds this
one server, and works in a fresh copy of the tasks. What it prints is its transcript; where that ends
in a JSON object with `result`, `usage` or `total_cost_usd`, they are taken from it.
"""

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

from measures import Run, has_cause, measure, summary  # noqa: E402
from report import plot, table  # noqa: E402

ARMS = ("line", "assert", "content")
SECONDS = 600
ASK = (
    "{problem} Find the root cause with the debugger of the MCP server `dapwright`: set breakpoints, look at values."
    " The program is `{module}` in this folder.{edit} Answer with the root cause in one sentence."
)
EDIT = " While you debug, the file is edited: add a comment of two lines at its top, then restart and look again."


def tasks() -> list[dict[str, Any]]:
    """The tasks, annotated with the statements that a good breakpoint names."""
    found: list[dict[str, Any]] = json.loads((HERE / "tasks.json").read_text(encoding="utf-8"))
    return found


def configuration(folder: Path, arm: str, log: Path) -> Path:
    """Write the MCP configuration of one run: the relay, and behind it the server in one arm."""
    server = [sys.executable, "-m", "dapwright", "serve"]
    env = {**os.environ, "DAPWRIGHT_ADDRESSING": arm}
    one = {"command": sys.executable, "args": [str(HERE / "relay.py"), str(log), *server], "env": env}
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"dapwright": one}}), encoding="utf-8")
    path.chmod(0o600)
    return path


def play(task: dict[str, Any], arm: str, agent: str, model: str) -> Run:
    """Run an agent once over a task, and measure what it did."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        work, log = folder / "work", folder / "messages.jsonl"
        shutil.copytree(HERE / "tasks", work)
        log.touch()
        edit = EDIT if "edit" in task else ""
        prompt = ASK.format(problem=task["problem"], module=task["module"], edit=edit)
        config = str(configuration(folder, arm, log))
        argv = [word.format(prompt=prompt, mcp_config=config) for word in shlex.split(agent)]
        try:
            done = subprocess.run(argv, cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False)
            said = done.stdout
        except subprocess.TimeoutExpired as late:
            said = (
                (late.stdout or b"").decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
            )
        run = measure(Run(arm, model, task["name"]), log, task["targets"])
    told = transcript(said)
    run.said = str(told.get("result", said))
    usage = told.get("usage")
    if isinstance(usage, dict):
        run.tokens = sum(count for key, count in usage.items() if key.endswith("tokens") and isinstance(count, int))
    run.cost = told.get("total_cost_usd")
    run.found = has_cause(run.said, task["rubric"])
    return run


def transcript(said: str) -> dict[str, Any]:
    """The JSON object that the last line of a transcript is; empty where it is none."""
    last = said.strip().rpartition("\n")[2]
    try:
        told = json.loads(last)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def blinded(runs: Sequence[Run], out: Path) -> None:
    """Write each answer for a judge who is not told whose it is; `key.json` tells, and is read last."""
    order = list(range(len(runs)))
    random.Random(len(runs)).shuffle(order)
    folder = out / "judging"
    folder.mkdir(parents=True, exist_ok=True)
    causes = {one["name"]: one["cause"] for one in tasks()}
    for place, index in enumerate(order):
        run = runs[index]
        said = re.sub("|".join([*ARMS, re.escape(run.model or "-")]), "...", run.said) if run.model else run.said
        text = f"task: {run.task}\nthe cause: {causes[run.task]}\n\nanswer:\n{said}\n\nverdict (found / not found): \n"
        (folder / f"{place:03}.txt").write_text(text, encoding="utf-8")
    key = {f"{place:03}": index for place, index in enumerate(order)}
    (folder / "key.json").write_text(json.dumps(key), encoding="utf-8")


def judged(runs: Sequence[Run], folder: Path) -> None:
    """Let a judge's verdicts stand in for the rubric's words, where they are given."""
    key = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    for name, index in key.items():
        verdict = (folder / f"{name}.txt").read_text(encoding="utf-8").rpartition("not found):")[2].strip().lower()
        if verdict in ("found", "not found"):
            runs[index].found = verdict == "found"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, measure, and write runs.json, table.md, plot.svg and the answers to judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", help="a command with {prompt} and {mcp_config}")
    parser.add_argument("--model", default="", help="a name for the table")
    parser.add_argument("--arm", action="append", choices=ARMS)
    parser.add_argument("--task", action="append")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("addressing-results"))
    parser.add_argument("--report", action="store_true", help="no new runs: the tables anew, with the judge's verdicts")
    asked = parser.parse_args(arguments)
    kept = asked.out / "runs.json"
    runs = [Run(**one) for one in json.loads(kept.read_text(encoding="utf-8"))] if kept.exists() else []
    if asked.report:
        judged(runs, asked.out / "judging")
    elif not asked.agent:
        parser.error("--agent is missing")
    else:
        chosen = [one for one in tasks() if not asked.task or one["name"] in asked.task]
        for arm in asked.arm or ARMS:
            for task in chosen * asked.repeat:
                runs.append(play(task, arm, asked.agent, asked.model))
                print(f"{arm} {task['name']}: {runs[-1].sets} sets, {runs[-1].wrong} wrong", flush=True)
        blinded(runs, asked.out)
    asked.out.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([asdict(one) for one in runs], indent=1), encoding="utf-8")
    told = summary(runs)
    (asked.out / "table.md").write_text(table(told), encoding="utf-8")
    (asked.out / "plot.svg").write_text(plot(told), encoding="utf-8")
    print(table(told))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
