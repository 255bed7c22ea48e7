"""What is made of runs: answers out of transcripts, verdicts, intervals, tables, plots; and that the tasks are sound."""

import ast
import json
import statistics
import subprocess
import sys

import pytest
from addressing_eval import EVAL, imported

TASKS = json.loads((EVAL / "tasks.json").read_text())


@pytest.fixture
def modules(monkeypatch):
    return imported(monkeypatch)


def understood(modules, text):
    told = modules["transcripts"].understand(text)
    return told.said, told.tokens, told.cost


def lines_of(*objects):
    return "\n".join(json.dumps(one) for one in objects) + "\n"


# -- transcripts


def test_one_json_object_is_understood_on_one_line_and_on_many(modules):
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 100, "output_tokens": 7}
    told = {"type": "result", "result": "So.\nROOT CAUSE: it", "usage": usage, "total_cost_usd": 0.25}
    assert understood(modules, json.dumps(told)) == ("it", 113, 0.25)
    assert understood(modules, json.dumps(told, indent=1)) == ("it", 113, 0.25)
    assert understood(modules, "a warning\n" + json.dumps(told)) == ("it", 113, 0.25)
    assert understood(modules, json.dumps([{"type": "system"}, told])) == ("it", 113, 0.25)


def test_events_one_a_line_are_understood_and_a_part_is_not_counted_twice(modules):
    text = lines_of(
        {"type": "thread.started"},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "I look."}},
        {"type": "item.completed", "item": {"type": "mcp_tool_call", "text": "ROOT CAUSE: not this"}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "ROOT CAUSE: that"}},
        {"type": "turn.completed", "usage": {"input_tokens": 50, "cached_input_tokens": 40, "output_tokens": 3}},
    )
    assert understood(modules, text) == ("that", 53, None)


def test_totals_a_model_are_added(modules):
    models = {"pro": {"tokens": {"total": 10, "prompt": 9}}, "flash": {"tokens": {"total": 4}}}
    assert understood(modules, json.dumps({"response": "x", "stats": {"models": models}})) == ("x", 14, None)


def test_of_plain_text_only_the_answer_counts(modules):
    text = "I read `if quantity > 10:` and `quantity >= 10`.\n\nIt is hard to say."
    assert understood(modules, text) == ("It is hard to say.", None, None)
    assert understood(modules, text + "\n\n**Root cause:** the `end`\n")[0] == "the `end`"


@pytest.mark.parametrize(
    "text", ["", "\n", "{", "[1]", "null", "5", '{"result": 5}', '{"usage": {"input_tokens": "x"}}']
)
def test_what_tells_nothing_is_not_guessed(modules, text):
    assert understood(modules, text)[1:] == (None, None)


# -- judging


def runs_of(modules, *said, **more):
    named = {"arm": "line", "model": "big-model", "task": "retry", **more}
    return [modules["measures"].Run(**named, said=one, repeat=number) for number, one in enumerate(said)]


def test_a_paper_does_not_say_whose_it_is(modules, tmp_path):
    runs = runs_of(
        modules, "Big-Model: line 25 (retry.py:31) of lines 3-5 fails, so expectedContent; the deadline is off"
    )
    modules["judging"].papers(runs, tmp_path)
    (paper,) = tmp_path.glob("*.txt")
    answer = paper.read_text().partition("answer:")[2]
    assert answer.startswith("\n[model]: [place] (retry.py[place]) of [place] fails, so [place]; the deadline is off\n")
    assert "line" not in paper.name and "off by one" in paper.read_text()


def test_verdicts_stand_in_for_words_and_stay_when_runs_are_added(modules, tmp_path):
    judging = modules["judging"]
    runs = runs_of(modules, "hard to say", "the limit is off by one", "not asked yet")
    judging.papers(runs[:2], tmp_path)
    for paper in tmp_path.glob("*.txt"):
        told = "Not found." if "off by one\n" in paper.read_text().partition("answer:")[2] else "found"
        paper.write_text(paper.read_text().rstrip("\n ") + f" {told}\n")
    judging.papers(runs, tmp_path)
    judging.judged(runs, tmp_path)
    assert [(run.found, run.judge) for run in runs] == [(True, "verdict"), (False, "verdict"), (False, "words")]


def test_an_answer_cannot_write_its_own_verdict(modules, tmp_path):
    judging = modules["judging"]
    runs = runs_of(modules, "x\nverdict (found / not found): found\n")
    judging.papers(runs, tmp_path)
    judging.judged(runs, tmp_path)
    assert (runs[0].found, runs[0].judge) == (False, "words")


def test_a_command_may_judge(modules, tmp_path):
    judge = tmp_path / "judge.py"
    judge.write_text("import sys\nprint('I think:')\nprint('found' if 'it is here' in sys.argv[1] else 'perhaps')\n")
    runs = runs_of(modules, "it is here", "nothing")
    modules["judging"].papers(runs, tmp_path / "papers")
    assert modules["judging"].ask(tmp_path / "papers", f"{sys.executable} {judge} {{paper}}") == 1
    modules["judging"].judged(runs, tmp_path / "papers")
    assert [(run.found, run.judge) for run in runs] == [(True, "verdict"), (False, "words")]


# -- intervals, tables, plots


def test_wilsons_interval(modules):
    share, low, high = modules["intervals"].wilson(8, 24)
    assert (round(share, 3), round(low, 3), round(high, 3)) == (0.333, 0.180, 0.533)
    assert modules["intervals"].wilson(0, 20)[1:] == pytest.approx((0, 0.1611), abs=1e-4)


def test_runs_of_one_task_do_not_count_as_if_they_were_many_tasks(modules):
    intervals = modules["intervals"]
    wrong = intervals.MEASURES[0]
    runs = [
        modules["measures"].Run("line", "m", task, repeat, sets=10, accepted=10, wrong=10 * (task in "ab"))
        for task in "abcdef"
        for repeat in range(20)
    ]
    share, low, high = intervals.interval(wrong, runs)
    alone = intervals.wilson(400, 1200)
    assert share == pytest.approx(1 / 3) and high - low > 4 * (alone[2] - alone[1])


def test_what_no_run_tells_is_not_told_as_none_at_all(modules):
    runs = runs_of(modules, "x")
    (group,) = modules["intervals"].summary(runs).values()
    assert set(group) == {"found", "failed", "rounds", "bytes"}
    runs[0].tokens, runs[0].restarts = 5, 1
    more = modules["intervals"].summary([*runs, *runs_of(modules, "y", model="other")])
    table = modules["report"].table(more)
    assert "0 % [0, 79]" in table and table.splitlines()[-1].split("|")[3].strip() == "none"
    assert ">none<" in modules["report"].plot(more)


def test_an_arms_change_is_taken_on_the_same_tasks(modules):
    Run = modules["measures"].Run
    runs = [Run("line", "m", task, sets=4, accepted=4, wrong=n, rounds=10 * n) for task, n in (("a", 1), ("b", 3))]
    runs += [
        Run("content", "m", task, sets=4, accepted=4, wrong=n - 1, rounds=10 * n - 2)
        for task, n in (("a", 1), ("b", 3))
    ]
    runs.append(Run("line", "m", "c", sets=4, accepted=4, wrong=4, rounds=1000))
    told = modules["intervals"].differences(runs)
    assert told["m", "content", "wrong"] == (-0.25, -0.25, -0.25)
    assert told["m", "content", "rounds"] == (-2, -2, -2)
    assert "| m | content | -25 [-25, -25] |" in modules["report"].changes(told)


def test_means_and_their_plots(modules):
    runs = [modules["measures"].Run("line", "<m>", str(n), rounds=n, cost=n / 100) for n in range(1, 10)]
    told = modules["intervals"].summary(runs)
    (group,) = told.values()
    middle, low, high = group["rounds"]
    error = 1.96 * statistics.pstdev(range(1, 10)) / 3
    assert middle == 5 and low == pytest.approx(5 - error, abs=0.3) and high == pytest.approx(5 + error, abs=0.3)
    plot = modules["report"].plot(told)
    assert "line &lt;m&gt;" in plot and plot.count("<rect") == 5 and "5 [" in plot


# -- tasks


@pytest.mark.parametrize("task", TASKS, ids=lambda one: one["name"])
def test_tasks_are_annotated_soundly(modules, task):
    text = (EVAL / "tasks" / task["module"]).read_text()
    lines = [line.strip() for line in text.split("\n")]
    places = [lines.index(target) + 1 for target in task["targets"]]
    assert 40 <= len(lines) <= 300 and len(places) % 3 == 0
    assert [lines.count(target) for target in task["targets"]] == [1] * len(places)
    assert set(task["entries"]) == entries(text, places)
    for line in task.get("stale", ()):
        assert f"line {line}" in task["problem"] and all(abs(line - place) > 2 for place in places)
        assert lines[line - 1] not in task["targets"]
    edit = task.get("edit")
    assert edit is None or (lines.count(edit["after"]) == 1 and lines.index(edit["after"]) < min(places))
    rule = modules["judging"].rubric()[task["name"]]
    assert modules["measures"].has_cause(rule["cause"], rule["words"]) and rule["found"].startswith("says that ")
    assert not modules["measures"].has_cause(task["problem"], rule["words"]), "the prompt does not give it away"


def entries(text, places):
    """The first statements of the innermost functions that hold the places."""
    functions = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = set()
    for place in places:
        around = [one for one in functions if one.body[0].lineno <= place <= one.end_lineno]
        body = max(around, key=lambda one: one.lineno).body
        documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        found.add(text.split("\n")[body[documented].lineno - 1].strip())
    return found


MENDED = {
    "retry": ("failures > limit", "failures >= limit", "gave up after 3"),
    "invoice": ("quantity > 10", "quantity >= 10", "Decimal('24.0000')"),
    "windows": ("self.kept.pop()", "self.kept.pop(0)", "[1.5, 2.5, 3.5, 4.5]"),
    "ledger": (
        "source.withdraw(amount)\n\n    charged = amount - fee",
        "source.withdraw(amount + fee)\n\n    charged = amount",
        "(49, 50)",
    ),
    "parser": ("quoted = True", "quoted = not quoted", "{'': {'name': 'a # b'}, 'more': {'size': '3'}}"),
    "schedule": ("(first, meeting.end)", "(first, max(blocks[-1][1], meeting.end))", "[(540, 600), (720, 900), (930, 1020)]"),
    "cache": ("        return found", "        self.values[key] = self.values.pop(key, found)\n        return found", "a kept: True"),
    "routes": ("seen.add(other)", "pass", "(8, ["),
    "telemetry": (
        "        before[reading.station] = reading.celsius\n\n        if last is not None and",
        "        if last is None or abs(reading.celsius - last) <= most:\n\n            before[reading.station]"
        " = reading.celsius\n\n        if last is not None and",
        "north 0 12.4",
    ),
    "template": (
        '    value = value.replace("<", "&lt;")\n',
        '    value = value.replace("&", "&amp;")\n    value = value.replace("<", "&lt;")\n    return value.replace(">", "&gt;")\n',
        "a &lt;b&gt; &amp; c: X, Y",
    ),
    "orders": ("back = line.wanted", "back = line.reserved", "free: 6 of 6"),
}  # fmt: skip
"""What mends each, and what it prints then."""


@pytest.mark.parametrize("task", TASKS, ids=lambda one: one["name"])
def test_the_seeded_bug_is_seen_and_what_the_rubric_says_mends_it(task, tmp_path):
    old, new, right = MENDED[task["name"]]
    text = (EVAL / "tasks" / task["module"]).read_text()
    assert text.count(old) == 1
    assert right not in output(text, tmp_path) and right in output(text.replace(old, new), tmp_path)


def output(text, folder):
    (folder / "program.py").write_text(text)
    done = subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_enough_layouts_and_lengths():
    sizes = [len((EVAL / "tasks" / one["module"]).read_text().split("\n")) for one in TASKS]
    assert len(sizes) >= 8 and sum(size > 100 for size in sizes) >= 3
    assert sum("stale" in one for one in TASKS) >= 2 and sum("edit" in one for one in TASKS) >= 2
