"""The gdb that is started with the session: taken where it fits, and never left behind."""

import os
import signal
import time
from pathlib import Path

import pytest

from dapwright.adapters import _gdb, _lldb
from dapwright.host import machine
from live.served import Served, values
from live.test_native import built
from live.test_native_robust import children_of

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]
PLACE = "sum += i;"
READY = "--data-directory"
"""What the wheel's launcher adds when it becomes gdb."""


def gdbs(served):
    """The gdbs that the server has."""
    return [pid for pid in children_of(served.process.pid) if "gdb_plugin.py" in command_of(pid)]


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def eventually(holds):
    """Look until it holds, 15 s at most."""
    until = time.monotonic() + 15
    while not (found := holds()) and time.monotonic() < until:
        os.sched_yield()
    return found


def created(served, language="c"):
    """A session whose gdb is there."""
    session = served.ok("create_debug_session", language=language)["sessionId"]
    assert eventually(lambda: any(READY in command_of(pid) for pid in gdbs(served))), "no gdb was started ahead"
    return session


def started(served, session, source, **more):
    served.ok("set_breakpoint", sessionId=session, file=str(source), statement=PLACE, hitCondition="3")
    return served.settled(served.ok("start_debugging", sessionId=session, wait=40, **more))


def test_the_launch_takes_the_gdb_that_waits_and_leaves_none(served, program):
    source = program("native") / "loop.c"
    session = created(served)
    (ahead,) = gdbs(served)
    stop = started(served, session, source, scriptPath=built(source))
    assert values(stop)["i"] == "3" and gdbs(served) == [ahead]
    again = served.settled(served.ok("restart_debugging", sessionId=session, wait=40))
    assert values(again)["i"] == "3" and gdbs(served) != [ahead]
    served.ok("close_debug_session", sessionId=session)
    assert eventually(lambda: not gdbs(served))


def test_a_session_that_is_closed_before_any_start_leaves_no_gdb(served):
    session = created(served)
    served.ok("close_debug_session", sessionId=session)
    assert eventually(lambda: not gdbs(served))
    served.ok("close_debug_session", sessionId=served.ok("create_debug_session", language="c")["sessionId"])
    assert eventually(lambda: not gdbs(served)), "closed while it was starting"


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGTERM, None])
def test_a_server_that_ends_takes_the_waiting_gdb_with_it(tmp_path, ends):
    served = Served(tmp_path)
    created(served)
    (ahead,) = gdbs(served)
    if ends is not None:
        os.kill(served.process.pid, ends)
    served.close()
    assert eventually(lambda: "gdb_plugin.py" not in command_of(ahead))


@pytest.mark.skipif(not _lldb.find(machine()), reason="there is no lldb-dap")
def test_a_launch_that_names_another_debugger_ends_the_waiting_gdb(served, program):
    source = program("native") / "loop.c"
    stop = started(served, created(served), source, scriptPath=built(source), debugger="lldb")
    assert values(stop)["i"] == "3" and "lldb-dap" in stop["note"] and not gdbs(served)
    assert served.go(stop)["exitCode"] == 0


def test_a_launch_that_fails_leaves_no_gdb_and_the_next_one_works(served, program, tmp_path):
    broken = tmp_path / "broken.c"
    broken.write_text("int main(void) { return seven; }\n")
    session = created(served)
    told = served.call("start_debugging", sessionId=session, scriptPath=str(broken), wait=40)
    assert told["code"] == "build" and "seven" in told["error"]
    assert eventually(lambda: not gdbs(served))
    source = program("native") / "loop.c"
    stop = started(served, created(served), source, scriptPath=built(source))
    assert values(stop)["i"] == "3"
    missing = served.call("start_debugging", sessionId=created(served), scriptPath=str(tmp_path / "no"), wait=40)
    assert "there is no file" in missing["error"]


def test_a_waiting_gdb_that_died_is_replaced(served, program):
    source = program("native") / "loop.c"
    session = created(served)
    for pid in gdbs(served):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not gdbs(served))
    stop = started(served, session, source, scriptPath=built(source))
    assert values(stop)["i"] == "3" and len(gdbs(served)) == 1


def test_what_only_a_launch_knows_reaches_the_waiting_gdb_with_it(served, program, tmp_path):
    source = program("native") / "loop.c"
    away = tmp_path / "away"
    away.mkdir()
    session = created(served)
    (ahead,) = gdbs(served)
    stop = started(
        served,
        session,
        source,
        scriptPath=built(source),
        cwd=str(away),
        adapterLaunchConfig={"gdbCommands": ["set $mine = 42", "nonsense at all"]},
    )
    assert gdbs(served) == [ahead] and values(stop)["i"] == "3"
    assert served.ok("evaluate_expression", sessionId=session, expression="$mine")["result"] == "42"
    said = "".join(entry["output"] for entry in served.ok("get_output", sessionId=session)["entries"])
    assert "nonsense" in said, "a command that gdb does not know is told"


def test_a_step_is_told_as_whoever_asks_again_sees_it(served, program):
    """The answers that gdb sends behind the stop are those that it gives when asked."""
    source = program("native") / "loop.c"
    session = created(served)
    started(served, session, source, scriptPath=built(source))
    for tool in ("step_over", "step_over", "step_into", "step_over"):
        stop = served.ok(tool, sessionId=session)
        asked = served.ok("get_local_variables", sessionId=session)
        assert values(stop) == {one["name"]: one["value"] for one in asked["variables"]}
        top = served.ok("get_stack_trace", sessionId=session)["stackFrames"][0]
        assert (top["file"], top["line"]) == (stop["location"]["file"], stop["location"]["line"])
    served.ok("evaluate_expression", sessionId=session, expression="sum = 1000")
    assert value_of(served, session, "sum") == "1000"
    scope = served.ok("get_scopes", sessionId=session, frameId=asked["frame"]["id"])["scopes"][0]
    served.ok("set_variable", sessionId=session, name="sum", value="7", variablesReference=scope["variablesReference"])
    assert value_of(served, session, "sum") == "7"


def value_of(served, session, name):
    """What a local holds now."""
    return served.ok("get_local_variables", sessionId=session, names=[name])["variables"][0]["value"]
