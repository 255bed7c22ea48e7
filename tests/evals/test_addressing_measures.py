"""The measures of the addressing comparison, proved by agents whose behaviour is known."""

import importlib
import json
import shlex
import sys
from pathlib import Path

import pytest

EVAL = Path(__file__).parents[2] / "evals" / "addressing"


@pytest.fixture
def modules(monkeypatch):
    """The evaluation's own modules, imported as its runner does."""
    monkeypatch.syspath_prepend(str(EVAL))
    names = ("measures", "report", "relay", "scripted")
    found = {name: importlib.import_module(name) for name in names}
    found["run"] = importlib.import_module("run")
    assert Path(found["run"].__file__).parent == EVAL
    yield found
    for name in (*names, "run"):
        sys.modules.pop(name, None)


def played(modules, out, arm, mode):
    words = [sys.executable, str(EVAL / "scripted.py"), mode]
    agent = " ".join(shlex.quote(word) for word in words) + " {prompt} {mcp_config}"
    chosen = [word for name in PLAYED for word in ("--task", name)]
    modules["run"].main(["--arm", arm, "--model", mode, "--agent", agent, "--out", str(out), *chosen])
    return [modules["measures"].Run(**one) for one in json.loads((out / "runs.json").read_text())]


def total(runs, *names):
    return tuple(sum(getattr(run, name) for run in runs) for name in names)


PLAYED = ("retry", "windows", "cache")
BY_HAND = {
    # three tasks, three targets each, every third one line too far; two are edited and restarted
    ("line", "miscount"): {"sets": 9, "accepted": 9, "wrong": 3, "rejected": 0, "reset": 0, "astray": 2, "found": 0},
    ("line", "exact"): {"sets": 9, "accepted": 9, "wrong": 0, "rejected": 0, "reset": 0, "astray": 2, "found": 3},
    # the guard refuses each of the three, and the agent sets it again at once
    ("assert", "miscount"): {"sets": 12, "accepted": 9, "wrong": 0, "rejected": 3, "reset": 3, "astray": 2},
    ("content", "statement"): {"sets": 9, "accepted": 9, "wrong": 0, "rejected": 0, "reset": 0, "astray": 0},
}


@pytest.mark.parametrize(("arm", "mode"), BY_HAND)
def test_known_agents_come_out_as_computed_by_hand(modules, tmp_path, arm, mode):
    expected = BY_HAND[arm, mode]
    runs = played(modules, tmp_path, arm, mode)
    assert dict(zip(expected, total(runs, *expected), strict=True)) == expected
    assert total(runs, "restarts", "tokens") == (2, 3 * 1050)
    # a session, three sets or more, and two calls more where the file is edited
    assert total(runs, "rounds") == (3 + expected["sets"] + 2 * 2,)
    assert all(run.audited >= run.sets for run in runs), "the audit trail has every call"
    assert f"| {arm} | {mode} |" in (tmp_path / "table.md").read_text()
    assert (tmp_path / "plot.svg").read_text().count("<rect") == 5


def test_a_person_may_judge_without_knowing_whose_answer_it_is(modules, tmp_path):
    measures, run = modules["measures"], modules["run"]
    runs = [measures.Run("line", "big-model", "retry", said="big-model in line says: limit", found=False)]
    run.blinded(runs, tmp_path)
    paper = tmp_path / "judging" / "000.txt"
    assert "big-model" not in paper.read_text() and "line" not in paper.read_text().partition("answer:")[2]
    paper.write_text(paper.read_text().rstrip() + " found\n")
    run.judged(runs, tmp_path / "judging")
    assert runs[0].found is True


def test_intervals(modules):
    measures = modules["measures"]
    share, low, high = measures.wilson(8, 24)
    assert (round(share, 3), round(low, 3), round(high, 3)) == (0.333, 0.180, 0.533)
    assert measures.wilson(0, 0) == (0.0, 0.0, 0.0)
    middle, low, high = measures.mean([4, 4, 4, 8])
    assert middle == 5 and 4 <= low < 5 < high <= 8


@pytest.mark.parametrize("task", json.loads((EVAL / "tasks.json").read_text()), ids=lambda one: one["name"])
def test_tasks_are_annotated_soundly(modules, task):
    text = (EVAL / "tasks" / task["module"]).read_text()
    lines = [line.strip() for line in text.split("\n")]
    assert 40 <= len(lines) <= 300 and len(task["targets"]) == 3
    assert [lines.count(target) for target in task["targets"]] == [1, 1, 1]
    assert modules["measures"].has_cause(task["cause"], task["rubric"])
    assert "edit" not in task or task["edit"]["old"] in text
