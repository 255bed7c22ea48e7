"""Several workspaces behind one port, with real servers: routing, relays, takeover."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest
from waits import until_blocking
from web_site import Site, free_port, program, stop_at

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def open_site(tmp_path):
    """Open a server for the folder of that name, behind the test's port."""
    port, made = free_port(), []

    def open_one(name, *more, **environment):
        folder = tmp_path / name
        if not folder.exists():
            program(folder, name)
        made.append(Site(folder, tmp_path / "run", port, "--workspace", str(folder), *more, env=environment))
        return made[-1]

    yield open_one
    for site in made:
        site.stop(signal.SIGKILL)


def job(site):
    return str(site.folder / "job.py")


def entries(site):
    return [json.loads(path.read_text()) for path in (site.folder.parent / "run").glob("*.json")]


def test_calls_go_by_path_and_then_by_session(open_site):
    red, blue = open_site("red"), open_site("blue")
    inner = Path(job(red)).parent / "inner"
    program(inner, "inner")
    deep = open_site("red/inner")
    client = red.client()
    stops = {site.folder.name: red.tool("start_debugging", stop_at(job(site)), client) for site in (red, blue, deep)}
    for name, stop in stops.items():
        named = {"sessionId": stop["sessionId"], "expression": "colour"}
        assert red.tool("evaluate_expression", named, client)["result"] == f"'{name}'"
    tags = {stop["sessionId"].partition("-")[0] for stop in stops.values()}
    assert len(tags) == 3, "a session's id tells its workspace"
    listed = red.tool("list_debug_sessions", {}, client)
    assert {row["workspace"] for row in listed["sessions"]} == {str(site.folder) for site in (red, blue, deep)}
    uris = [one["uri"] for one in red.ask("resources/list", **client)["result"]["resources"]]
    for stop in stops.values():
        assert f"debug://sessions/{stop['sessionId']}/output" in uris
    assert len(uris) == len(set(uris)), "what all have is listed once"


def test_nothing_is_guessed(open_site):
    red, blue = open_site("red"), open_site("blue")
    client = red.client()
    for arguments in ({"scriptPath": "/elsewhere/x.py"}, {"module": "json"}):
        refused = red.tool("start_debugging", arguments, client)
        assert (
            refused["success"] is False and str(red.folder) in refused["error"] and str(blue.folder) in refused["error"]
        )
    stop = red.tool("start_debugging", stop_at(job(blue)), client)
    lone = red.tool("evaluate_expression", {"expression": "colour"}, client)
    assert lone["result"] == "'blue'", "the only live session of this client, wherever it is"
    red.tool("start_debugging", stop_at(job(red)), client)
    several = red.tool("evaluate_expression", {"expression": "colour"}, client)
    assert several["success"] is False and stop["sessionId"] in several["error"]
    assert red.tool("list_supported_languages", {}, client)["success"]


def test_a_named_workspace_takes_nothing_from_outside(open_site):
    red = open_site("red")
    refused = red.tool("start_debugging", {"scriptPath": str(red.folder.parent / "other.py")})
    assert refused["success"] is False and "open workspaces" in refused["error"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_another_takes_over_and_its_sessions_go_on(open_site, how):
    red, blue = open_site("red"), open_site("blue")
    assert red.token() == blue.token()
    stop = red.tool("start_debugging", stop_at(job(blue)))
    red.stop(how)
    until_blocking(lambda: blue.hello()[0] == 200 if blue.listening() else False, 10)
    named = {"sessionId": stop["sessionId"], "expression": "colour"}
    assert blue.tool("evaluate_expression", named)["result"] == "'blue'"
    assert blue.tool("start_debugging", {"scriptPath": job(red)})["success"] is False, "red has gone"
    assert [entry["folder"] for entry in entries(blue)] == [str(blue.folder)], "what the dead one left is swept"


def test_a_waiting_call_is_told_to_call_again_when_its_relay_ends(open_site):
    red, blue = open_site("red"), open_site("blue")
    client = red.client()
    script = blue.folder / "job.py"
    script.write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    stop = red.tool("start_debugging", {"scriptPath": str(script), "wait": 0.1}, client)
    told = []
    arguments = {"sessionId": stop["sessionId"], "timeout": 30000}
    waiting = threading.Thread(target=lambda: told.append(red.tool("wait_for_stop", arguments, client)))
    waiting.start()
    output = {"sessionId": stop["sessionId"]}
    until_blocking(lambda: "ready" in str(red.tool("get_output", output, client).get("entries")))
    red.stop()
    waiting.join(10)
    assert told and told[0]["success"] is False and "call again" in told[0]["hint"]
    until_blocking(blue.listening, 10)
    again = blue.tool("wait_for_stop", {"sessionId": stop["sessionId"], "timeout": 100})
    assert again["state"] == "running", "the session went on"


def test_a_workspace_that_ends_in_a_call_is_told(open_site):
    red, blue = open_site("red"), open_site("blue")
    client = red.client()
    stop = red.tool("start_debugging", stop_at(job(blue)), client)
    blue.stop(signal.SIGKILL)
    gone = red.tool("evaluate_expression", {"sessionId": stop["sessionId"], "expression": "1"}, client)
    # the router has heard of the end, or not yet: either way the call says which folder it was about
    assert gone["success"] is False and (str(red.folder) in gone["error"] or str(blue.folder) in gone["error"])


def test_a_cancelled_call_is_cancelled_in_its_workspace(open_site):
    red, blue = open_site("red"), open_site("blue")
    client = red.client()
    script = blue.folder / "job.py"
    script.write_text("import time\ntime.sleep(60)\n")
    stop = red.tool("start_debugging", {"scriptPath": str(script), "wait": 0.1}, client)
    body = {"name": "wait_for_stop", "arguments": {"sessionId": stop["sessionId"], "timeout": 40000}}
    answers = []
    message = {"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": body}
    waiting = threading.Thread(target=lambda: answers.append(red.request(body=message, **client)))
    waiting.start()
    until_blocking(waiting.is_alive)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}}

    def ended():
        red.request(body=cancel, **client)
        waiting.join(0.2)
        return not waiting.is_alive()

    until_blocking(ended, 10)
    assert "result" not in json.loads(answers[0][1].rpartition("data: ")[2] or "{}")


def test_a_port_of_another_program_is_told(tmp_path):
    import socket
    import subprocess
    import sys

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        ran = subprocess.run(
            [sys.executable, "-m", "dapwright", "serve", "--http", "--port", port],
            capture_output=True,
            text=True,
            timeout=30,
            env={**os.environ, "DAPWRIGHT_RUNTIME": str(tmp_path / "run")},
        )
    assert ran.returncode == 1 and "taken by another program" in ran.stderr
