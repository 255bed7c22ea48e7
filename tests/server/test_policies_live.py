"""The policies in a real server: what is refused starts nothing, what is asked is asked first."""

import json
import os
import subprocess
import sys

import pytest
from pipe import Pipe
from waits import until_blocking

pytestmark = pytest.mark.timeout(90)
ENVIRONMENT = "import os, json\nprint(json.dumps(sorted(os.environ)))\n"


@pytest.fixture
def serve(tmp_path, monkeypatch):
    """Start a server in the test's folder with these settings; its client can be asked."""
    made = []
    monkeypatch.chdir(tmp_path)
    homes = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}

    def start(*more, capabilities=None, **env):
        made.append(Pipe("real_server.py", *more, env={**homes, **env}))
        made[-1].handshake(capabilities={"elicitation": {}} if capabilities is None else capabilities)
        return made[-1]

    start.env = homes
    yield start
    for pipe in made:
        pipe.kill()


def begin(pipe, tool, /, **arguments):
    return pipe.start("tools/call", {"name": tool, "arguments": arguments})


def told(pipe, id):
    return pipe.answer(id, 40)["result"]["structuredContent"]


def tool(pipe, tool, /, **arguments):
    return told(pipe, begin(pipe, tool, **arguments))


def marker(tmp_path):
    (tmp_path / "touch.py").write_text("open('ran', 'w').close()\n")
    return str(tmp_path / "touch.py"), tmp_path / "ran"


def test_nothing_of_a_launch_starts_before_the_person_has_answered(serve, tmp_path):
    script, ran = marker(tmp_path)
    pipe = serve(DAPWRIGHT_APPROVE="ask: *")
    call = begin(pipe, "start_debugging", scriptPath=script)
    question = pipe.asks.get(timeout=20)
    assert "touch.py" in question["params"]["message"] and "adapter" in question["params"]["message"]
    children = subprocess.run(["pgrep", "-P", str(pipe.process.pid)], capture_output=True, text=True).stdout.split()
    assert children == [], "not even the adapter is warm"
    pipe.send({"id": question["id"], "result": {"action": "accept", "content": {"approve": True}}})
    session = told(pipe, call)["sessionId"]
    until_blocking(ran.exists, 20)
    assert tool(pipe, "restart_debugging", sessionId=session)["success"], "kept: it is not asked again"
    assert pipe.asks.empty()


def test_a_denied_command_is_denied_wherever_it_would_start(serve, tmp_path):
    script, ran = marker(tmp_path)
    pipe = serve(DAPWRIGHT_APPROVE="deny: *touch*\ndeny: attach *\ndeny: evaluate *system*")
    assert tool(pipe, "start_debugging", scriptPath=script)["code"] == "not-allowed" and not ran.exists()
    assert tool(pipe, "attach_to_process", port=1)["code"] == "not-allowed"
    (tmp_path / "free.py").write_text("x = 1\nprint(x)\n")
    place = {"file": str(tmp_path / "free.py"), "line": 2}
    tool(pipe, "start_debugging", scriptPath=str(tmp_path / "free.py"), breakpoints=[place])
    evil = tool(pipe, "evaluate_expression", expression="__import__('os').system('touch ran')")
    assert evil["code"] == "not-allowed" and tool(pipe, "evaluate_expression", expression="x")["result"] == "1"
    for trigger in ({"command": ["touch", "ran"]}, {"command": ["/usr/bin/touch", "ran"]}):
        assert tool(pipe, "wait_for_stop", trigger=trigger)["code"] == "not-allowed"
    assert not ran.exists()


def test_code_is_judged_wherever_it_would_run_in_the_program(serve, tmp_path):
    (tmp_path / "free.py").write_text("x = [1]\nfor i in range(2):\n    print(x, i)\n")
    script, place = str(tmp_path / "free.py"), {"file": str(tmp_path / "free.py"), "line": 3}
    pipe = serve(DAPWRIGHT_APPROVE="deny: evaluate *system*\ndeny: assign *secret*")
    evil = "__import__('os').system('touch ran')"
    for code in ({"condition": evil}, {"logMessage": f"{{{evil}}}"}):
        refused = tool(pipe, "start_debugging", scriptPath=script, breakpoints=[{**place, **code}])
        assert refused["code"] == "not-allowed", code
    for probe in ({"capture": [evil]}, {"condition": evil}, {"set": {"secret": "1"}}, {"set": {"i": evil}}):
        refused = tool(pipe, "investigate", scriptPath=script, probes=[{**place, **probe}])
        assert refused.get("code") == "not-allowed", probe
    stop = tool(pipe, "start_debugging", scriptPath=script, breakpoints=[place])
    for name, code in (
        ("explain_value", {"expression": f"x[{evil}]"}),
        ("set_variable", {"name": "secret", "value": "1"}),
        ("set_variable", {"name": "i", "value": evil}),
    ):
        assert tool(pipe, name, **code)["code"] == "not-allowed", code
    changing = tool(pipe, "set_breakpoint", sessionId=stop["sessionId"], **place, condition="x.pop() == 1")
    assert changing["code"] == "not-allowed" and ".pop" in changing["error"]
    looking = tool(pipe, "set_breakpoint", sessionId=stop["sessionId"], **place, condition="len(x) == 1")
    assert looking["success"] and not (tmp_path / "ran").exists()


def test_a_programs_own_command_line_is_judged_where_the_engine_starts_it(serve, tmp_path):
    (tmp_path / "job.mock").write_text("x = 1\nprint {x}\n")
    pipe = serve(DAPWRIGHT_APPROVE="deny: *job.mock --evil*")
    asked = {"language": "mock", "scriptPath": str(tmp_path / "job.mock")}
    assert tool(pipe, "start_debugging", **asked, args=["--evil"])["code"] == "not-allowed"
    assert tool(pipe, "start_debugging", **asked, args=["--good"], wait=20)["state"] == "stopped"


def test_a_failure_that_comes_after_the_answer_counts_and_a_pass_makes_it_stale(serve, tmp_path):
    test = tmp_path / "test_slow.py"
    test.write_text("import time\n\ndef test_it():\n    time.sleep(2)\n    assert 1 == 2\n")
    pipe = serve(DAPWRIGHT_GATE="after-failures")
    pending = tool(pipe, "debug_test", test=str(test), cwd=str(tmp_path), wait=0.5)
    assert pending["pending"]
    assert tool(pipe, "create_debug_session", language="python")["code"] == "not-allowed"
    assert tool(pipe, "wait_for_stop", sessionId=pending["sessionId"])["state"] == "paused"
    tool(pipe, "close_debug_session", sessionId=pending["sessionId"])
    assert tool(pipe, "create_debug_session", language="python")["success"]
    test.write_text("def test_it():\n    assert 1 == 1\n")
    passed = tool(pipe, "debug_test", test=f"{test}::test_it", cwd=str(tmp_path))
    assert passed["testPassed"], passed
    assert tool(pipe, "create_debug_session", language="python")["code"] == "not-allowed"


def test_traced_runs_count_and_a_hypothesis_is_in_the_trail(serve, tmp_path):
    (tmp_path / "bad.py").write_text("def f():\n    raise SystemExit(3)\nf()\n")
    (tmp_path / "good.py").write_text("x = 1\nprint(x)\n")
    pipe = serve(DAPWRIGHT_GATE="after-failures:2")
    assert tool(pipe, "trace_calls", scriptPath=str(tmp_path / "bad.py"))["exitCode"] == 3
    assert tool(pipe, "start_debugging", scriptPath=str(tmp_path / "good.py"))["code"] == "not-allowed"
    run = {"scriptPath": str(tmp_path / "bad.py")}
    tool(pipe, "compare_runs", a=run, b={"scriptPath": str(tmp_path / "good.py")})
    stop = tool(pipe, "start_debugging", scriptPath=str(tmp_path / "good.py"), hypothesis="x is 1", wait=20)
    assert stop["state"] == "stopped", stop
    read = pipe.start("resources/read", {"uri": f"debug://sessions/{stop['sessionId']}/audit"})
    assert "x is 1" in pipe.answer(read, 20)["result"]["contents"][0]["text"]


def test_where_the_gate_is_off_no_session_outlives_its_answer(serve, tmp_path):
    (tmp_path / "test_slow.py").write_text("import time\n\ndef test_it():\n    time.sleep(60)\n")
    pipe = serve(DAPWRIGHT_GATE="off")
    told = tool(pipe, "debug_test", test=str(tmp_path / "test_slow.py"), cwd=str(tmp_path), wait=2)
    assert told["state"] == "stopped" and "switched off" in told["note"] and "longer" in told["message"]
    assert tool(pipe, "list_debug_sessions")["count"] == 0
    assert tool(pipe, "pause_execution", sessionId=told["sessionId"])["success"] is False


def test_links_out_of_the_allowed_folders_lead_nowhere(serve, tmp_path):
    (tmp_path / "in").mkdir()
    script, ran = marker(tmp_path)
    (tmp_path / "in" / "link.py").symlink_to(script)
    pipe = serve(DAPWRIGHT_ROOTS=str(tmp_path / "in"))
    for arguments in ({"scriptPath": str(tmp_path / "in" / "link.py")}, {"scriptPath": script}):
        assert tool(pipe, "start_debugging", **arguments)["code"] == "not-allowed"
    (tmp_path / "in" / "ok.py").write_text("x = 1\nprint(x)\n")
    ok = str(tmp_path / "in" / "ok.py")
    assert tool(pipe, "start_debugging", scriptPath=ok, cwd=str(tmp_path))["code"] == "not-allowed"
    assert tool(pipe, "start_debugging", scriptPath=ok, coreFile="/etc/passwd")["code"] == "not-allowed"
    assert tool(pipe, "get_source_context", file=script, line=1)["code"] == "not-allowed"
    stop = tool(pipe, "start_debugging", scriptPath=ok, breakpoints=[{"file": ok, "line": 2}])
    assert stop["state"] == "paused" and not ran.exists()


def test_a_clean_environment_hands_on_little(serve, tmp_path):
    (tmp_path / "show.py").write_text(ENVIRONMENT)
    pipe = serve("--clean-env", SECRET_OF_THE_SERVER="1", LC_ALL="C")
    end = tool(pipe, "start_debugging", scriptPath=str(tmp_path / "show.py"), env={"MINE": "1"}, wait=20)
    names = json.loads(end["output"].splitlines()[0])
    assert "SECRET_OF_THE_SERVER" not in names and {"PATH", "LC_ALL", "MINE"} <= set(names)


def test_a_harness_opens_the_gate_from_its_own_process(serve, tmp_path):
    script, _ = marker(tmp_path)
    pipe = serve(DAPWRIGHT_GATE="after-failures:2")
    refused = tool(pipe, "create_debug_session", language="python")
    assert refused["code"] == "not-allowed" and "debug_test" in refused["hint"]
    assert tool(pipe, "attach_to_process", port=1)["code"] == "not-allowed"

    def record(*more):
        command = [sys.executable, "-m", "dapwright", "gate", "record", "--workspace", str(tmp_path), *more]
        subprocess.run(command, check=True, timeout=30, env={**os.environ, **serve.env})

    for _ in range(2):
        record("--kind", "test", "--name", "t")
    assert tool(pipe, "create_debug_session", language="python")["success"]
    record("--kind", "test", "--name", "t", "--passed")
    assert tool(pipe, "create_debug_session", language="python")["code"] == "not-allowed", "the failures are stale"
    assert tool(pipe, "start_debugging", scriptPath=script, hypothesis="it touches the file")["success"]


def test_a_workspace_file_denies_until_it_is_trusted_and_its_denials_stay(serve, tmp_path):
    script, ran = marker(tmp_path)
    (tmp_path / ".dapwright.toml").write_text('[approve]\nrules = ["deny: *touch.py*"]\n')
    assert tool(serve(), "start_debugging", scriptPath=script)["code"] == "not-allowed" and not ran.exists()
    (tmp_path / ".dapwright.toml").write_text("[approve\n")
    broken = tool(serve(), "start_debugging", scriptPath=script)
    assert broken["success"] is False and "nothing is started" in broken["error"] and not ran.exists()


def test_a_configuration_runs_its_task_once_that_is_allowed(serve, tmp_path):
    script, ran = marker(tmp_path)
    (tmp_path / ".vscode").mkdir()
    one = {"name": "go", "type": "debugpy", "request": "launch", "program": script, "preLaunchTask": "make it"}
    (tmp_path / ".vscode" / "launch.json").write_text(json.dumps({"configurations": [one]}) + "// end\n")
    task = {"label": "make it", "type": "shell", "command": "touch", "args": ["built"]}
    (tmp_path / ".vscode" / "tasks.json").write_text(json.dumps({"tasks": [task]}))
    pipe = serve()
    call = begin(pipe, "start_debugging", configuration="go", wait=20)
    question = pipe.asks.get(timeout=20)
    assert "make it" in question["params"]["message"] and not (tmp_path / "built").exists()
    pipe.send({"id": question["id"], "result": {"action": "decline"}})
    assert "declined" in told(pipe, call)["error"] and not ran.exists() and not (tmp_path / "built").exists()
    all_asked = serve(DAPWRIGHT_APPROVE="ask: *")
    call = begin(all_asked, "start_debugging", configuration="go", wait=20)
    question = all_asked.asks.get(timeout=20)
    message = question["params"]["message"]
    assert "touch built" in message and "touch.py" in message and "adapter" in message, "all asking is one question"
    assert not (tmp_path / "built").exists()
    all_asked.send({"id": question["id"], "result": {"action": "accept", "content": {"approve": True}}})
    assert told(all_asked, call)["state"] == "stopped" and all_asked.asks.empty(), (
        "what was approved is not asked again"
    )
    assert (tmp_path / "built").exists() and ran.exists()
    (tmp_path / "built").unlink(), ran.unlink()
    allowed = serve(DAPWRIGHT_APPROVE="allow: sh -c touch built")
    assert tool(allowed, "start_debugging", configuration="go", wait=20)["state"] == "stopped"
    assert ran.exists() and (tmp_path / "built").exists() and allowed.asks.empty()
