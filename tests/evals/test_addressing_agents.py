"""Agents that misbehave: every run is bounded, leaves no process, is kept, and is gone on with after a break."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from addressing_eval import EVAL, command, imported

SERVED = """
import json, os, subprocess, sys, time
(one,) = json.load(open(sys.argv[2]))["mcpServers"].values()
server = subprocess.Popen([one["command"], *one["args"]], stdin=-1, stdout=-1, env=one["env"])
def ask(number, method, params):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\\n")
    server.stdin.flush()
    return server.stdout.readline()
ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
"""
"""An agent that has its server, and then does something."""


@pytest.fixture
def modules(monkeypatch):
    return imported(monkeypatch)


def run_of(modules, tmp_path, body, *more):
    """One run of an agent that is a Python program; its measures, and the processes that it began."""
    script = tmp_path / "agent.py"
    script.write_text(body)
    out = tmp_path / "out"
    words = ["--agent", command(script), "--arm", "line", "--task", "retry", "--model", "m", "--out", str(out), *more]
    assert modules["run"].main(words) == 0
    (run,) = json.loads((out / "runs.json").read_text())
    log = modules["run"].place(out, "m", "line", "retry", 0) / "messages.jsonl"
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return run, rows


def gone(rows):
    """That a relay and its server have ended."""
    (begun,) = [row["message"] for row in rows if row["way"] == "begin"]
    return not any(alive(begun[name]) for name in ("relay", "server"))


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_an_agent_that_crashes_is_a_run_that_failed(modules, tmp_path):
    run, rows = run_of(modules, tmp_path, SERVED + "print('ROOT CAUSE: half a')\nsys.exit(3)\n")
    assert (run["ended"], run["found"], run["said"]) == ("crashed", False, "half a")
    assert gone(rows) and rows[-1]["way"] == "end"


def test_an_agent_that_kills_itself_leaves_no_server(modules, tmp_path):
    run, rows = run_of(modules, tmp_path, SERVED + "os.kill(os.getpid(), 9)\n")
    assert run["ended"] == "crashed" and gone(rows)


def test_an_agent_that_hangs_is_ended_with_its_server_and_what_it_did_is_kept(modules, tmp_path):
    body = SERVED + (
        "ask(2, 'tools/call', {'name': 'create_debug_session', 'arguments': {'language': 'python'}})\n"
        "place = {'sessionId': 's1', 'file': os.path.abspath('retry.py'), 'line': 28}\n"
        "ask(3, 'tools/call', {'name': 'set_breakpoint', 'arguments': place})\n"
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "time.sleep(600)\n"
    )
    run, rows = run_of(modules, tmp_path, body, "--seconds", "6")
    assert (run["ended"], run["sets"], run["accepted"], run["unaudited"]) == ("late", 1, 1, 0)
    assert gone(rows) and any(row["way"] == "audit" for row in rows)


@pytest.mark.skipif(sys.platform == "win32", reason="sessions of processes are POSIX's")
def test_a_server_that_its_agent_has_put_into_another_session_is_ended_too(modules, tmp_path):
    body = SERVED.replace("stdin=-1,", "stdin=-1, start_new_session=True,") + "time.sleep(600)\n"
    run, rows = run_of(modules, tmp_path, body, "--seconds", "4")
    assert run["ended"] == "late" and gone(rows)


def test_an_agent_is_told_when_its_server_has_ended(modules, tmp_path):
    body = SERVED + (
        "rows = [json.loads(line) for line in open(one['args'][1])]\n"
        "os.kill([row['message']['server'] for row in rows if row['way'] == 'begin'][0], 9)\n"
        "print('ROOT CAUSE: told' if server.stdout.readline() == b'' else 'not')\n"
    )
    run, rows = run_of(modules, tmp_path, body, "--seconds", "20")
    assert (run["ended"], run["said"]) == ("ok", "told") and gone(rows)


def test_no_last_line_no_answer(modules, tmp_path):
    run, _ = run_of(modules, tmp_path, SERVED)
    assert (run["ended"], run["said"], run["found"], run["tokens"], run["cost"]) == ("ok", "", False, None, None)


def test_garbage_is_no_answer_and_no_error(modules, tmp_path):
    body = (
        "import os, sys\n"
        'sys.stdout.buffer.write(bytes(range(256)) * 50 + b\'\\n{"result": 5, "usage": [], "total_cost_usd": "x"}\\n\''
        " + b'{' * 5000 + b'[' * 200000)\n"
    )
    run, rows = run_of(modules, tmp_path, body)
    assert (run["ended"], run["found"], run["tokens"], run["cost"], rows) == ("ok", False, None, None, [])


def test_what_an_agent_says_that_is_no_message_does_not_end_the_relay(modules, tmp_path):
    body = SERVED + (
        "server.stdin.write(b'garbage\\n[1]\\n\\xff\\xfe\\n'); server.stdin.flush()\n"
        "while True:\n"
        "    told = json.loads(ask(9, 'tools/list', {}))\n"
        "    if told.get('id') == 9: break\n"
        "print('ROOT CAUSE: limit off by one')\n"
    )
    run, rows = run_of(modules, tmp_path, body, "--seconds", "20")
    assert (run["ended"], run["found"]) == ("ok", True) and gone(rows)


def test_a_run_that_was_broken_off_is_played_again_and_the_others_are_not(modules, tmp_path):
    counted = tmp_path / "counted"
    script = tmp_path / "agent.py"
    script.write_text(f"open({str(counted)!r}, 'a').write('x')\nprint('ROOT CAUSE: limit one too many')\n")
    words = [
        "--agent",
        command(script),
        "--arm",
        "line",
        "--task",
        "retry",
        "--task",
        "cache",
        "--out",
        str(tmp_path / "o"),
    ]
    assert modules["run"].main(words) == 0
    torn = modules["run"].place(tmp_path / "o", "agent", "line", "cache", 0)
    (torn / "run.json").rename(torn / "run.json.part")
    assert modules["run"].main(words) == 0
    assert counted.read_text() == "xxx"
    assert modules["run"].main([*words, "--repeat", "2"]) == 0
    assert counted.read_text() == "xxxxx" and len(json.loads((tmp_path / "o" / "runs.json").read_text())) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM is POSIX's")
def test_an_interrupted_runner_takes_its_agent_with_it(tmp_path):
    script, out = tmp_path / "agent.py", tmp_path / "out"
    pipe = tmp_path / "begun"
    os.mkfifo(pipe)
    script.write_text(SERVED + f"open({str(pipe)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n")
    words = ["--agent", command(script), "--arm", "line", "--task", "retry", "--out", str(out)]
    runner = subprocess.Popen([sys.executable, str(EVAL / "run.py"), *words], stderr=subprocess.PIPE, text=True)
    agent = int(pipe.read_text())
    runner.send_signal(signal.SIGTERM)
    assert "goes on from here" in runner.communicate(timeout=60)[1]
    assert runner.returncode == 130 and not alive(agent)
    (log,) = out.glob("runs/*/*/messages.jsonl")
    assert gone([json.loads(line) for line in log.read_text().splitlines()])
    assert not list(out.glob("runs/*/*/run.json")), "it is played again"
