"""What may go wrong around a native program: the debugger killed, a core of another machine."""

import os
import signal
import time
from pathlib import Path

import pytest

from dapwright.adapters import _gdb, _lldb
from dapwright.host import machine
from live.test_native import built, gdb_made_core  # noqa: F401
from live.test_native_forks import _running

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]
LLDB = pytest.param("lldb", marks=pytest.mark.skipif(not _lldb.find(machine()), reason="there is no lldb-dap"))


def children_of(pid):
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found += [int(folder.name), *children_of(int(folder.name))]
    return found


@pytest.mark.parametrize("debugger", ["gdb", LLDB])
def test_a_debugger_that_is_killed_takes_its_program_with_it_and_is_told(served, program, debugger):
    source = program("native") / "forks.c"
    target = built(source)
    place = {"file": str(source), "statement": "pause(); // both live on"}
    served.run("c", place, program=target, args=["sleeps"], debugger=debugger)
    assert _running(target)
    engines = [pid for pid in children_of(served.process.pid) if str(pid) not in _running(target)]
    for pid in engines:
        if debugger in Path(f"/proc/{pid}/cmdline").read_text():
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 15
    while served.call("list_debug_sessions")["sessions"][0]["state"] != "error" and time.monotonic() < until:
        os.sched_yield()  # the stop that was known still stands until the pipe is seen to be closed
    told = served.call("wait_for_stop", timeout=20_000)
    said = served.call("list_debug_sessions")["sessions"][0]
    assert said["state"] == "error" and "debugger ended" in str(told) + str(said), (told, said)
    while _running(target) and time.monotonic() < until:
        os.sched_yield()
    assert not _running(target)


def test_a_core_of_another_machine_is_refused_with_the_reason(served, case, gdb_made_core):  # noqa: F811
    dies = built(case("C77") / "dies.c")
    core = Path(gdb_made_core(dies, "segv"))
    data = bytearray(core.read_bytes())
    data[18:20] = (183).to_bytes(2, "little")  # EM_AARCH64
    core.write_bytes(data)
    session = served.ok("create_debug_session", language="c")["sessionId"]
    told = served.call("start_debugging", sessionId=session, program=dies, coreFile=str(core))
    assert told["success"] is False and "aarch64" in told["error"].lower(), told


def test_what_is_no_core_is_refused_with_the_reason(served, case, tmp_path):
    dies = built(case("C77") / "dies.c")
    text = tmp_path / "core.txt"
    text.write_text("no core at all\n")
    session = served.ok("create_debug_session", language="c")["sessionId"]
    told = served.call("start_debugging", sessionId=session, program=dies, coreFile=str(text))
    assert told["success"] is False and "core" in told["error"], told
