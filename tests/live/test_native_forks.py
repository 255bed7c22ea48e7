"""Programs that fork: their children are stopped in, named, and never left traced."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from dap import line_of
from waits import until_blocking

from dapwright.adapters import _gdb
from dapwright.host import machine
from live.served import Served, values
from live.test_native import built

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]


@pytest.fixture
def forks(program):
    source = program("native") / "forks.c"
    return built(source), str(source)


def test_a_forked_child_is_stopped_in_and_named(served, forks):
    program, source = forks
    stop = served.run("c", {"file": source, "statement": "return answer;"}, program=program)
    assert values(stop) == {"n": "1", "answer": "2"}
    assert stop["lastStop"]["process"].startswith("child process ")
    rows = served.ok("list_threads")["threads"]
    assert sorted(row.get("process", "") for row in rows) == ["", stop["lastStop"]["process"]]
    frames = [served.ok("get_stack_trace", threadId=row["id"])["stackFrames"] for row in rows]
    assert {frame["name"] for each in frames for frame in each} >= {"work", "wait_for", "main"}
    end = served.go(stop)
    assert end["exitCode"] == 0 and "saw 2" in end["output"]
    assert f"{stop['lastStop']['process']} ended with code 2" in end["note"]


def test_a_breakpoint_counts_over_all_children(served, forks):
    program, source = forks
    place = {"file": source, "statement": "return answer;", "hitCondition": "%5"}
    stop = served.run("c", place, program=program, args=["often"])
    assert values(stop)["n"] == "5"
    stop = served.go(stop)
    assert values(stop)["n"] == "10"
    assert served.go(stop)["exitCode"] == 0


def test_steps_of_the_parent_outlive_the_end_of_a_child(served, forks):
    program, source = forks
    stop = served.run("c", {"file": source, "statement": "waitpid(child, &status, 0);"}, program=program)
    over = served.settled(served.ok("step_over"))
    assert over["location"]["line"] == line_of(source, "return WEXITSTATUS(status);"), over
    out = served.settled(served.ok("step_out"))
    assert out["location"]["function"] == "in_a_child" and out["returnValue"]["value"] == "2"
    assert served.go(stop)["exitCode"] == 0


def test_a_step_out_goes_on_where_a_childs_end_broke_into_it(served, forks):
    program, source = forks
    served.run("c", {"file": source, "statement": "waitpid(child, &status, 0);"}, program=program)
    out = served.settled(served.ok("step_out"))
    assert out["location"]["function"] == "in_a_child"


def test_a_child_that_outlives_the_program_is_followed_to_its_end(served, forks):
    program, source = forks
    stop = served.run("c", {"file": source, "statement": "return answer;"}, program=program, args=["leaves"])
    assert values(stop)["n"] == "4" and "the program itself ended with code 5" in stop["note"]
    end = served.go(stop)
    assert end["exitCode"] == 5 and "ended with code 8" in end["note"]


def test_programs_that_are_spawned_run_clean(served, forks):
    program, _ = forks
    end = served.run("c", program=program, args=["spawns"])
    assert end["exitCode"] == 0 and "spawned 3, system 7" in end["output"]


def test_children_are_let_run_where_nobody_wants_them(served, forks):
    program, source = forks
    place = {"file": source, "statement": "return answer;"}
    end = served.run("c", place, program=program, dapLaunchArgs={"subProcess": False})
    assert end["state"] == "stopped" and end["exitCode"] == 0 and "child process" not in end["note"]


def test_a_restart_begins_without_the_children_of_before(served, forks):
    program, source = forks
    stop = served.run("c", {"file": source, "statement": "return answer;"}, program=program)
    again = served.settled(served.ok("restart_debugging", sessionId=stop["sessionId"], wait=40))
    assert values(again)["n"] == "1" and again["lastStop"]["process"] != stop["lastStop"]["process"]
    assert len(served.ok("list_threads")["threads"]) == 2
    assert served.go(again)["exitCode"] == 0


def test_no_process_of_it_outlives_a_server_that_is_killed(forks, tmp_path):
    program, source = forks
    served = Served(tmp_path)
    place = {"file": source, "statement": "pause(); // both live on"}
    served.run("c", place, program=program, args=["sleeps"])
    mine = _running(program)
    assert len(mine) == 2
    served.process.kill()
    served.process.wait(20)
    until = time.monotonic() + 10
    while _running(program) and time.monotonic() < until:
        os.sched_yield()
    assert not _running(program)
    served.process.stdin.close()
    served.process.stdout.close()
    served._timer.cancel()


def _running(program):
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "exe") == program:
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_an_attached_programs_children_are_stopped_in_and_all_are_let_go_clean(served, forks, tmp_path):
    program, source = forks
    told = tmp_path / "told"
    with told.open("w") as out:
        server = subprocess.Popen([program, "serves"], stdout=out)
    try:
        session = served.ok("create_debug_session", language="c")["sessionId"]
        served.ok("attach_to_process", sessionId=session, processId=server.pid)
        served.ok("set_breakpoint", sessionId=session, file=source, statement="return answer;")
        stop = served.go({"sessionId": session})
        assert stop["lastStop"]["process"].startswith("child process ")
        served.ok("detach_from_process", sessionId=session)
        length = told.stat().st_size
        until_blocking(lambda: told.stat().st_size > length + 30, 10)  # three children more: no trap was left for them
        assert "served 0" not in told.read_text()
        assert server.poll() is None and "TracerPid:\t0" in Path(f"/proc/{server.pid}/status").read_text()
    finally:
        server.kill()
        server.wait()
