"""Wrong calls against the real server: the text alone says how to mend the call."""

import contextlib

import pytest

from live.served import Served

pytestmark = pytest.mark.live


@pytest.fixture
def server(tmp_path):
    (tmp_path / "app.py").write_text("total = 3\nprint(total)\n")
    with contextlib.closing(Served(tmp_path)) as served:
        yield served


def test_nothing_to_run_and_a_mistyped_mode_are_refused_with_what_to_pass(server):
    nothing = server.call("start_debugging")
    assert nothing["code"] == "usage" and "`scriptPath`" in nothing["hint"]
    mistyped = server.call("start_debugging", scriptPath="app.py", breakOnExceptions="uncought")
    assert "did you mean `uncaught`?" in mistyped["error"]


def test_a_wrong_type_is_refused_with_what_the_argument_means(server):
    told = server.call("start_debugging", scriptPath="app.py", breakpoints=["app.py:1"])
    assert "an object is wanted" in told["error"] and "set_breakpoint" in told["hint"]


def test_a_waiting_session_of_another_language_is_not_taken(server):
    other = server.ok("create_debug_session", language="mock")["sessionId"]
    told = server.ok("start_debugging", scriptPath="app.py", language="python", dryRunSpawn=True)
    assert told["sessionId"] != other and any("app.py" in command for command in told["wouldStart"][-1])
    assert server.call("start_debugging", sessionId=other, scriptPath="app.py", language="python")["code"] == "usage"
