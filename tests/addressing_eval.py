"""The modules of `evals/addressing`, imported as its runner does, and runs of its scripted agents."""

import importlib
import json
import shlex
import sys
from pathlib import Path

EVAL = Path(__file__).parents[1] / "evals" / "addressing"
NAMES = ("sets", "measures", "intervals", "transcripts", "judging", "play", "report", "relay", "scripted", "run")


def imported(monkeypatch):
    """Every module by its name; they are flat, and must not stay importable for other tests."""
    monkeypatch.syspath_prepend(str(EVAL))
    kept = {name: sys.modules.pop(name, None) for name in NAMES}
    found = {name: importlib.import_module(name) for name in NAMES}
    assert all(Path(one.__file__).parent == EVAL for one in found.values())
    for name, before in kept.items():
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
    return found


def command(*words):
    """An agent's command line, for a Python program."""
    return " ".join(shlex.quote(str(word)) for word in (sys.executable, *words)) + " {prompt} {mcp_config}"


def played(modules, out, *, arm, mode, tasks):
    """Runs of a scripted agent, as the runner's report has them."""
    chosen = [word for name in tasks for word in ("--task", name)]
    words = ["--arm", arm, "--model", mode, "--agent", command(EVAL / "scripted.py", mode), "--out", str(out)]
    assert modules["run"].main([*words, *chosen]) == 0
    return [modules["measures"].Run(**one) for one in json.loads((out / "runs.json").read_text())]


def total(runs, *names):
    return {name: sum(getattr(run, name) for run in runs) for name in names}
