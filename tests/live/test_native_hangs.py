"""Why native programs do not move: locks, their holders, cycles, loops."""

import pytest
from dap import line_of

from dapwright.adapters import _gdb
from dapwright.host import machine
from live.test_native import built

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc", "g++"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]


def begun(served, language, program, *args):
    session = served.ok("create_debug_session", language=language)["sessionId"]
    told = served.ok("start_debugging", sessionId=session, program=program, args=list(args), wait=2)
    assert told["state"] == "running", told
    return session


def test_a_deadlock_of_two_mutexes_is_named_with_its_holders(served, program):
    source = program("native") / "hangs.c"
    begun(served, "c", built(source, "-pthread"))
    told = served.ok("explain_hang")
    assert told["state"] == "running" and "runs on" in told["note"]
    one, other = line_of(source, "pthread_mutex_lock(&right); // one waits"), line_of(source, "// other waits")
    assert told["verdict"].startswith("deadlock: ")
    assert f"waits at hangs.c:{one} for mutex `right`, held by" in told["verdict"]
    assert f"waits at hangs.c:{other} for mutex `left`, held by" in told["verdict"]
    main = told["threads"][0]
    assert main["at"].startswith("main ") and main["waits"].startswith("thread a, which is thread ")
    paused = served.ok("pause_execution")
    assert served.ok("explain_hang")["verdict"] == told["verdict"]
    ids = {f"thread {each['id']} ({each['name']})" for each in served.ok("list_threads")["threads"]}
    assert ids == {each["name"] for each in told["threads"]}
    assert paused["stopReason"] == "pause"


def test_a_loop_is_told_from_a_wait(served, program):
    source = program("native") / "hangs.c"
    begun(served, "c", built(source, "-pthread"), "spins")
    told = served.ok("explain_hang")
    assert told["verdict"].startswith("busy, not waiting: thread ") and "hangs.c:" in told["verdict"]
    assert served.ok("pause_execution")["location"]["function"] == "main"


def test_locks_of_cpp_are_known_by_their_calls_and_what_is_not_known_is_left_out(served, program):
    source = program("native") / "locks.cpp"
    begun(served, "cpp", built(source, "-pthread"))
    told = served.ok("explain_hang")
    rows = {row["at"].split()[0].split("(")[0]: row for row in told["threads"]}
    assert rows["main"]["waits"].startswith("sleep in `")
    assert rows["waits"]["waits"].startswith("mutex ") and rows["waits"]["waits"].endswith(
        f"held by {rows['main']['name']}"
    )
    assert rows["listens"]["waits"].startswith("condition ") and "held by" not in rows["listens"]["waits"]
    assert told["verdict"].startswith("no cycle was found")
