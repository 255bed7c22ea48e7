"""The addressing comparison from end to end through the real server: agents of known behaviour come out as known."""

import json

import pytest
from addressing_eval import command, imported, played, total

PLAYED = ("template", "windows", "ledger", "parser")
"""One set a call; an inline list, an edit and a restart; probes; a test. 6 + 3 + 3 + 3 places."""
EXACT = {"sets": 15, "accepted": 15, "wrong": 0, "rejected": 0, "reset": 0, "restarts": 1, "rounds": 7 + 3 + 2 + 2}
BY_HAND = {
    # every third place is one line too far: `return str(value)` and the next `replace` in template, `self.sum -= oldest`
    # in windows, a blank line before `charged = ...` in ledger, `elif char == ...` in parser; nobody objects
    ("line", "miscount"): {**EXACT, "wrong": 5, "astray": 1, "found": 0},
    # guards refuse four of these (probes have none), each is named again, rightly, in one call more
    ("assert", "miscount"): {**EXACT, "sets": 19, "rejected": 4, "reset": 4, "wrong": 1, "rounds": 18, "astray": 1},
    # the same, and what was guarded is found again after the edit
    ("content", "miscount"): {**EXACT, "sets": 19, "rejected": 4, "reset": 4, "wrong": 1, "rounds": 18, "astray": 0},
    ("content", "statement"): {**EXACT, "astray": 0, "found": 4},
}


@pytest.fixture
def modules(monkeypatch):
    return imported(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(("arm", "mode"), BY_HAND)
def test_known_agents_come_out_as_computed_by_hand(modules, tmp_path, arm, mode):
    expected = BY_HAND[arm, mode]
    runs = played(modules, tmp_path, arm=arm, mode=mode, tasks=PLAYED)
    assert total(runs, *expected) == expected
    assert total(runs, "tokens", "unjudged", "unanswered", "unaudited") == {
        "tokens": 4 * 1050, "unjudged": 0, "unanswered": 0, "unaudited": 0,
    }  # fmt: skip
    assert [run.ended for run in runs] == ["ok"] * 4
    assert all(run.audited > 0 for run in runs), "the audit trail of closed and of open sessions was read"
    assert all(run.bytes == size_of_calls(modules, tmp_path, run) for run in runs)
    assert f"| {arm} | {mode} | {round(100 * expected['wrong'] / 15)} % [" in (tmp_path / "table.md").read_text()
    assert (tmp_path / "plot.svg").read_text().count("<rect") == 10


def size_of_calls(modules, out, run):
    """Bytes of the calls of a run and their answers, counted from the log alone."""
    log = modules["run"].place(out, run.model, run.arm, run.task, run.repeat) / "messages.jsonl"
    size, asked = 0, set()
    for row in map(json.loads, log.read_text().splitlines()):
        if row["way"] == "ask" and row["message"].get("method") == "tools/call":
            size, asked = size + row["bytes"], asked | {row["message"]["id"]}
        elif row["way"] == "answer" and row["message"].get("id") in asked:
            size += row["bytes"]
    return size


def test_the_exact_agent_is_led_astray_by_an_edit_where_lines_are_all_that_it_has(modules, tmp_path):
    (run,) = played(modules, tmp_path, arm="line", mode="exact", tasks=["windows"])
    assert (run.sets, run.wrong, run.restarts, run.astray, run.found) == (3, 0, 1, 1, True)


def test_two_models_stand_side_by_side_and_nothing_is_played_twice(modules, tmp_path):
    for mode in ("exact", "statement"):
        runs = played(modules, tmp_path, arm="content", mode=mode, tasks=["invoice"])
    assert [(run.arm, run.model) for run in runs] == [("content", "exact"), ("content", "statement")]
    table = (tmp_path / "table.md").read_text()
    assert "| content | exact |" in table and "| content | statement |" in table
    whole = {one: one.stat().st_mtime_ns for one in tmp_path.glob("runs/*/*/run.json")}
    played(modules, tmp_path, arm="content", mode="statement", tasks=["invoice"])
    assert whole == {one: one.stat().st_mtime_ns for one in tmp_path.glob("runs/*/*/run.json")}


def test_every_arm_is_told_the_same(modules):
    for task in modules["run"].tasks():
        prompt = modules["play"].prompt_of(task)
        assert f"`{task['module']}`" in prompt and "{" not in prompt.replace("{{", "").replace("{%", "")
        assert not any(word in prompt for word in ("expectedContent", "nearLine", "DAPWRIGHT"))
        assert all(line in prompt for line in task.get("edit", {}).get("insert", ()))


@pytest.mark.parametrize("word", ["{prompt}", "--x={prompt}", '{"a": "{server}"}', "{other} {mcp_config}"])
def test_only_our_own_names_are_filled_in(modules, word):
    filled = {"{prompt}": "the {server} {prompt}", "{mcp_config}": "c", "{server}": "s"}
    expected = {
        "{prompt}": "the {server} {prompt}",
        "--x={prompt}": "--x=the {server} {prompt}",
        '{"a": "{server}"}': '{"a": "s"}',
        "{other} {mcp_config}": "{other} c",
    }
    assert modules["play"]._filled(word, filled) == expected[word]


def test_an_agent_that_is_not_there_is_told_at_once(modules, tmp_path, capsys):
    agent = "/nowhere/agent {prompt} {mcp_config}"
    assert modules["run"].main(["--agent", agent, "--out", str(tmp_path)]) == 2
    assert "cannot be played" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        modules["run"].main(["--agent", "agent {prompt}", "--out", str(tmp_path)])


def test_the_command_alone_starts_the_same_server(modules, tmp_path):
    """For agents that take a command instead of a configuration file."""
    script = tmp_path / "agent.py"
    script.write_text(
        "import json, subprocess, sys\n"
        "ask = {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list', 'params': {}}\n"
        "hello = {'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {'protocolVersion': '2025-06-18',"
        " 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}}\n"
        "said = ''.join(json.dumps(one) + '\\n' for one in (hello, ask))\n"
        "done = subprocess.run([sys.argv[2]], input=said, env={}, capture_output=True, text=True, timeout=30)\n"
        "print('ROOT CAUSE: statement' if '\"statement\"' in done.stdout else done)\n"
    )
    agent = command(script).replace("{mcp_config}", "{server}")
    words = ["--agent", agent, "--arm", "content", "--task", "retry", "--out", str(tmp_path)]
    assert modules["run"].main(words) == 0
    (run,) = json.loads((tmp_path / "runs.json").read_text())
    assert (run["said"], run["ended"], run["rounds"]) == ("statement", "ok", 0)
