"""Whether the root cause was found: by the rubric's words, or by a judge who is not told whose answer it is."""

import hashlib
import json
import re
import secrets
import shlex
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from measures import Run, has_cause

RUBRIC = Path(__file__).resolve().parent / "rubric.toml"
ASKED = "verdict (found / not found):"
SECONDS = 300
TELLING = re.compile(
    r"\blines?\s*#?\d+(?:\s*(?:-|to|and)\s*\d+)?|:\d+\b|DAPWRIGHT_\w+|expectedContent|nearLine",
    re.IGNORECASE,
)
"""What in an answer may tell its arm: line numbers, names of arguments that not every arm has."""


def rubric() -> dict[str, dict[str, Any]]:
    """By task: `cause`, `found` (what an answer has to say), and the `words` that stand in for a judge."""
    return tomllib.loads(RUBRIC.read_text(encoding="utf-8"))


def key_of(run: Run) -> str:
    """What names a run among all of a folder."""
    return json.dumps([run.model, run.arm, run.task, run.repeat])


def papers(runs: Sequence[Run], folder: Path) -> None:
    """Write each answer without its model and arm, under a name that says neither; verdicts that are there stay.

    `key.json` tells whose each is, and is read last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "key.json"
    key = (
        json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"salt": secrets.token_hex(8), "papers": {}}
    )
    rules = rubric()
    models = {run.model for run in runs}
    for run in runs:
        name = hashlib.sha256((key["salt"] + key_of(run)).encode()).hexdigest()[:12]
        key["papers"][name] = key_of(run)
        paper, rule = folder / f"{name}.txt", rules[run.task]
        if verdict(paper) is not None:
            continue
        text = (
            f"task: {run.task}\nthe cause: {rule['cause']}\nfound, if the answer {rule['found']}\n\n"
            f"answer:\n{masked(run.said, models)}\n\n{ASKED} \n"
        )
        paper.write_text(text, encoding="utf-8", errors="replace")
    path.write_text(json.dumps(key, indent=1), encoding="utf-8")


def masked(said: str, models: set[str]) -> str:
    """An answer without what tells whose it is; a line that looks like our own question is quoted."""
    for model in sorted(filter(None, models), key=len, reverse=True):
        said = re.sub(rf"(?<!\w){re.escape(model)}(?!\w)", "[model]", said, flags=re.IGNORECASE)
    return TELLING.sub("[place]", said).replace(ASKED, "> " + ASKED[:-1])


def verdict(paper: Path) -> bool | None:
    """What a judge has written below an answer; None where nothing, or neither of the two."""
    if not paper.exists():
        return None
    said = paper.read_text(encoding="utf-8", errors="replace").rpartition(ASKED)[2].strip().lower()
    return {"found": True, "not found": False}.get(said.rstrip("."))


def judged(runs: Sequence[Run], folder: Path) -> None:
    """Say of each run whether the cause was found: by its verdict, else by the words."""
    path = folder / "key.json"
    key: Mapping[str, str] = json.loads(path.read_text(encoding="utf-8"))["papers"] if path.exists() else {}
    verdicts = {whose: verdict(folder / f"{name}.txt") for name, whose in key.items()}
    rules = rubric()
    for run in runs:
        told = verdicts.get(key_of(run))
        run.judge = "words" if told is None else "verdict"
        run.found = has_cause(run.said, rules[run.task]["words"]) if told is None else told


def ask(folder: Path, command: str) -> int:
    """Let a command judge the papers that have no verdict: it is given `{paper}`, and its last line is the verdict.

    Answers how many verdicts came.
    """
    came = 0
    for paper in sorted(folder.glob("*.txt")):
        if verdict(paper) is not None:
            continue
        text = paper.read_text(encoding="utf-8")
        argv = [word.replace("{paper}", text) for word in shlex.split(command)]
        try:
            done = subprocess.run(argv, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            continue
        last = done.stdout.decode(errors="replace").strip().rpartition("\n")[2].strip().lower().rstrip(".")
        if last in ("found", "not found"):
            paper.write_text(f"{text.rpartition(ASKED)[0]}{ASKED} {last}\n", encoding="utf-8")
            came += 1
    return came
