"""Compare the addressing modes: the same tasks, the same agent, one arm after the other.

python evals/addressing/run.py --agent "CMD {prompt} {mcp_config}" [--model NAME] [--arm ARM]... [--task NAME]...
                               [--repeat N] [--seconds S] [--out FOLDER]
python evals/addressing/run.py --report [--judge "CMD {paper}"] [--out FOLDER]

The agent is any command: it is given a prompt and the path of an MCP configuration that holds this one
server (`{server}` is the same as a command without arguments), and works in a fresh folder with the program.
What it prints is its transcript. A run that is there already is not played again, so the same command goes on
where it was interrupted; other models are added to the same folder.
"""

import argparse
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

from intervals import differences, summary  # noqa: E402
from judging import ask, judged, papers  # noqa: E402
from measures import Run, measure  # noqa: E402
from play import play  # noqa: E402
from report import changes, plot, table  # noqa: E402
from transcripts import read  # noqa: E402

ARMS = ("line", "assert", "content")
SECONDS = 600.0


def tasks() -> list[dict[str, Any]]:
    """The tasks, annotated with the statements that a good breakpoint names."""
    found: list[dict[str, Any]] = json.loads((HERE / "tasks.json").read_text(encoding="utf-8"))
    return found


def place(out: Path, model: str, arm: str, task: str, repeat: int) -> Path:
    """The folder of one run; a model's name may hold anything."""
    return out / "runs" / f"model-{quote(model, safe='')}" / f"{arm}.{task}.{repeat}"


def played(asked: argparse.Namespace) -> Iterator[Path]:
    """Play what is not there yet, each repeat over all arms; `run.json` is written last and makes a run whole."""
    chosen = [one for one in tasks() if not asked.task or one["name"] in asked.task]
    for repeat in range(asked.repeat):
        for task in chosen:
            for arm in asked.arm or ARMS:
                folder = place(asked.out, asked.model, arm, task["name"], repeat)
                if (folder / "run.json").exists():
                    continue
                shutil.rmtree(folder, ignore_errors=True)
                whose = {"arm": arm, "model": asked.model, "task": task["name"], "repeat": repeat}
                how = play(task, arm, asked.agent, folder, seconds=asked.seconds)
                half = folder / "run.json.part"
                half.write_text(json.dumps({**whose, **how}), encoding="utf-8")
                os.replace(half, folder / "run.json")
                yield folder


def measured(folder: Path) -> Run:
    """The measures of one run, out of what it has left."""
    told = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (task,) = [one for one in tasks() if one["name"] == told["task"]]
    run = Run(**{key: told[key] for key in ("arm", "model", "task", "repeat", "ended", "seconds")})
    measure(run, folder / "messages.jsonl", task)
    said = read(folder / "transcript.txt")
    run.said, run.tokens, run.cost = said.said, said.tokens, said.cost
    return run


def reported(out: Path, judge: str | None = None) -> str:
    """Measure every run of a folder; write runs.json, table.md, plot.svg and the papers to judge."""
    runs = [measured(one.parent) for one in sorted((out / "runs").glob("*/*/run.json"))]
    papers(runs, out / "judging")
    if judge:
        print(f"{ask(out / 'judging', judge)} verdicts came")
    judged(runs, out / "judging")
    (out / "runs.json").write_text(json.dumps([asdict(one) for one in runs], indent=1), encoding="utf-8")
    told = summary(runs)
    tables = "\n".join(filter(None, [table(told), changes(differences(runs))]))
    (out / "table.md").write_text(tables, encoding="utf-8")
    (out / "plot.svg").write_text(plot(told), encoding="utf-8")
    return tables


def arguments_of(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", help="a command with {prompt} and {mcp_config} or {server}")
    parser.add_argument("--model", default="agent", help="a name for the table")
    parser.add_argument("--arm", action="append", choices=ARMS)
    parser.add_argument("--task", action="append", choices=[one["name"] for one in tasks()])
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the limit of one run")
    parser.add_argument("--out", type=Path, default=Path("addressing-results"))
    parser.add_argument("--report", action="store_true", help="no new runs: the tables anew, with the judge's verdicts")
    parser.add_argument("--judge", help="a command with {paper} whose last line is `found` or `not found`")
    asked = parser.parse_args(words)
    if not asked.report:
        if not asked.agent:
            parser.error("--agent is missing")
        if "{prompt}" not in asked.agent or not ("{mcp_config}" in asked.agent or "{server}" in asked.agent):
            parser.error("--agent needs {prompt}, and {mcp_config} or {server}")
    return asked


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main(words: Sequence[str] | None = None) -> int:
    """Play what is missing, measure all, and print the tables."""
    asked = arguments_of(words)
    asked.out.mkdir(parents=True, exist_ok=True)
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        for folder in played(asked) if not asked.report else ():
            run = measured(folder)
            print(f"{run.arm} {run.task} {run.repeat}: {run.sets} sets, {run.wrong} wrong, {run.ended}", flush=True)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    except OSError as broken:
        print(f"the run cannot be played: {broken}", file=sys.stderr)
        return 2
    finally:
        signal.signal(signal.SIGTERM, before)
    print(reported(asked.out, asked.judge))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
