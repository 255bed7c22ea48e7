"""lldb-dap and CodeLLDB in gdb's place: the same words for what each tells in its own."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from dap import line_of

from live.served import values
from live.test_native import built

pytestmark = [pytest.mark.live, pytest.mark.needs("gcc", "g++")]
ENGINES = [
    pytest.param("lldb", marks=pytest.mark.needs("lldb-dap")),
    pytest.param("codelldb", marks=pytest.mark.needs("codelldb")),
]
each_engine = pytest.mark.parametrize("debugger", ENGINES)
every_engine = pytest.mark.parametrize("debugger", ["gdb", *ENGINES])


@each_engine
def test_a_signals_death_has_its_name_and_an_exit_code_of_the_same_number_stays(served, program, tmp_path, debugger):
    source = tmp_path / "ends.c"
    source.write_text(
        "#include <signal.h>\n#include <stdlib.h>\nvoid caught(int number) { exit(number); }\n"
        "int main(int argc, char **argv) {\n    if (argc > 1) signal(SIGSEGV, caught);\n"
        "    *(volatile int *)0 = 1;\n}\n"
    )
    ends = built(source)
    stop = served.run("c", program=ends, debugger=debugger)
    assert stop["stopReason"] == "exception" and "SIGSEGV" in stop["lastStop"]["description"]
    assert stop["location"]["line"] == line_of(source, "*(volatile")
    end = served.go(stop)
    assert end["signal"] == "SIGSEGV" and "exitCode" not in end
    served.ok("close_debug_session", sessionId=stop["sessionId"])
    stop = served.run("c", program=ends, args=["catch"], debugger=debugger)
    end = served.go(stop)
    assert end["exitCode"] == 11 and "signal" not in end


@each_engine
def test_a_program_that_something_else_killed_ends_as_nobody_knows(served, tmp_path, debugger):
    source = tmp_path / "lost.c"
    source.write_text(
        '#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n    printf("%d\\n", getpid());\n'
        '    fflush(stdout);\n    puts("here");\n}\n'
    )
    here = {"file": str(source), "statement": 'puts("here");'}
    stop = served.run("c", here, program=built(source), debugger=debugger)
    printed = served.ok("get_output", categories=["stdout"])["entries"]
    os.kill(int("".join(entry["output"] for entry in printed)), signal.SIGKILL)
    served.call(
        "continue_execution", sessionId=stop["sessionId"], wait=20
    )  # refused, or the end: lldb-dap tells either
    end = served.settled(served.ok("wait_for_stop", sessionId=stop["sessionId"], timeout=20_000))
    assert end["state"] == "stopped" and end.get("signal") in (None, "SIGKILL"), end
    assert "exitCode" not in end


@each_engine
def test_hits_are_counted_and_watches_have_their_old_and_new_value(served, program, debugger):
    source = str(program("native") / "loop.c")
    place = {"file": source, "statement": "sum += i;", "hitCondition": "3"}
    stop = served.run("c", place, scriptPath=source, debugger=debugger)
    assert values(stop)["i"] == "3" and values(stop)["sum"] == "3"
    served.ok("clear_breakpoints")
    served.ok("set_breakpoint", watch="sum")
    written = served.go(stop)
    assert written["stopReason"] == "data breakpoint"
    assert written["watch"] == {"expression": "sum", "old": "3", "new": "6"}
    written = served.go(stop)
    assert written["watch"] == {"expression": "sum", "old": "6", "new": "10"}


@each_engine
def test_a_log_points_failing_expression_is_logged_and_the_program_goes_on(served, program, debugger):
    source = str(program("native") / "loop.c")
    place = {"file": source, "statement": "sum += i;", "logMessage": "i={i} {nope}"}
    end = served.run("c", place, scriptPath=source, debugger=debugger)
    assert end["exitCode"] == 0 and "i=10" in end["output"] and "nope" in end["output"]


@each_engine
def test_a_thrown_exception_is_one(served, program, debugger):
    source = str(program("native") / "throws.cpp")
    stop = served.run("cpp", scriptPath=source, breakOnExceptions="all", debugger=debugger)
    assert stop["stopReason"] == "exception"
    assert stop["lastStop"]["exceptionInfo"]["details"]["userFrames"][0]["function"].startswith("risky")


@each_engine
@pytest.mark.needs("cargo")
def test_a_rust_panic_is_one(served, case, debugger):
    crate = case("C78") / "crate"
    place = {"file": str(crate / "src" / "lib.rs"), "statement": "v[i]"}
    stop = served.run("rust", place, scriptPath=str(crate / "src" / "main.rs"), debugger=debugger)
    panic = served.go(stop)
    assert panic["stopReason"] == "exception", panic
    frames = panic["lastStop"]["exceptionInfo"]["details"]["userFrames"]
    assert frames[0]["function"].endswith("pick") and frames[0]["line"] == line_of(crate / "src" / "lib.rs", "v[i]")
    assert served.go(panic)["exitCode"] == 101


@each_engine
def test_memory_is_read_written_and_disassembled(served, program, debugger):
    source = str(program("native") / "loop.c")
    stop = served.run("c", {"file": source, "statement": "int later"}, scriptPath=source, debugger=debugger)
    assert served.ok("read_memory", expression="sum", count=4)["hex"] == "37 00 00 00"
    assert served.ok("write_memory", expression="sum", hex="2a 00 00 00")["hex"] == "2a 00 00 00"
    assert served.ok("evaluate_expression", expression="sum + 1")["result"] == "43"
    assert served.ok("disassemble", count=2)["instructions"][0]["line"] == stop["location"]["line"]
    assert "cannot run backwards" in served.call("step_back")["error"]


@each_engine
def test_input_is_fed_whole_and_ended_in_each_run(served, program, tmp_path, debugger):
    source = tmp_path / "reads.c"
    source.write_text(
        "#include <stdio.h>\nint main(void) {\n    int n = 0, c;\n    while ((c = getchar()) != EOF) n++;\n"
        '    printf("read %d\\n", n);\n    return 7;\n}\n'
    )
    told = served.run("c", {"file": str(source), "statement": "int n = 0"}, scriptPath=str(source), debugger=debugger)
    for _ in range(2):
        served.ok("continue_execution")
        for _ in range(3):
            served.ok("send_input", text="x" * 100_000)  # more than a pipe holds
        served.ok("send_input", text="y\n", close=True)
        assert served.call("send_input", text="late")["success"] is False
        end = served.settled(served.ok("wait_for_stop", sessionId=told["sessionId"]))
        assert end["exitCode"] == 7 and "read 300002" in end["output"]
        told = served.settled(served.ok("restart_debugging", sessionId=told["sessionId"]))
        assert told["state"] == "paused"


@each_engine
def test_input_of_an_attached_program_is_refused_for_what_it_is(served, debugger):
    sleeper = subprocess.Popen(["sleep", "60"])
    try:
        session = served.ok("create_debug_session", language="c")["sessionId"]
        served.ok("attach_to_process", sessionId=session, processId=sleeper.pid, adapterConfig={"debugger": debugger})
        assert "attached" in served.call("send_input", text="x")["error"]
    finally:
        sleeper.kill()
        sleeper.wait()


@each_engine
def test_a_large_container_is_paged_item_by_item(served, tmp_path, debugger):
    source = tmp_path / "large.cpp"
    source.write_text(
        "#include <vector>\n#include <map>\nint main() {\n    static int plain[100000];\n"
        "    for (int i = 0; i < 100000; i++) plain[i] = i;\n    std::vector<int> items(plain, plain + 100000);\n"
        "    std::map<int, int> squares;\n    for (int i = 0; i < 1000; i++) squares[i] = i * i;\n"
        "    return items[3] - 3; // here\n}\n"
    )
    served.run(
        "cpp", {"file": str(source), "statement": "return items[3] - 3;"}, scriptPath=str(source), debugger=debugger
    )
    for name in ("plain", "items"):
        scope = served.ok("evaluate_expression", expression=name)["variablesReference"]
        page = served.ok("get_variables", scope=scope, start=99_998, count=5)
        assert [(one["name"], one["value"]) for one in page["variables"]] == [
            ("[99998]", "99998"),
            ("[99999]", "99999"),
        ]
        assert page["total"] == 100_000
        first = served.ok("get_variables", scope=scope)
        assert first["count"] == 300 and first["truncation"]["omittedCount"] == 99_700
        named = served.ok("get_variables", scope=scope, names=["[5000]"])
        assert [one["value"] for one in named["variables"]] == ["5000"]
        assert served.ok("get_variables", scope=scope, start=100_000)["count"] == 0
    scope = served.ok("evaluate_expression", expression="squares")["variablesReference"]
    (pair,) = served.ok("get_variables", scope=scope, start=700, count=1)["variables"]
    parts = served.ok("get_variables", scope=pair["variablesReference"])["variables"]
    assert {one["name"]: one["value"] for one in parts} == {"first": "700", "second": "490000"}


@every_engine
def test_a_machine_address_is_stopped_at_like_a_function(served, program, debugger):
    source = str(program("native") / "loop.c")
    stop = served.run("c", {"file": source, "statement": "sum += i;"}, scriptPath=source, debugger=debugger)
    second = served.ok("disassemble", count=2)["instructions"][1]["address"]
    served.ok("clear_breakpoints")
    assert served.ok("set_breakpoint", function=f"*{second}", condition="i == 3")["verified"] is True
    stop = served.go(stop)
    assert stop["stopReason"] == "breakpoint" and values(stop)["i"] == "3"
    assert served.ok("disassemble", count=1)["instructions"][0]["address"] == second
    served.ok("clear_breakpoints")
    assert served.go(stop)["exitCode"] == 0


def test_rr_is_refused_for_what_it_is(served, program):
    source = str(program("native") / "loop.c")
    told = served.call("start_debugging", language="c", scriptPath=source, debugger="rr")
    assert told["code"] == "not-supported" and "record" in told["hint"]


@pytest.mark.parametrize("debugger", ["gdb", ENGINES[0]])
def test_a_program_that_a_gdbserver_holds_is_joined_and_run_to_a_breakpoint(served, program, debugger):
    command = shutil.which("gdbserver", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if command is None:
        pytest.skip("there is no gdbserver")
    source = program("native") / "loop.c"
    held = built(source)
    server = subprocess.Popen([command, "--once", "127.0.0.1:0", held], stderr=subprocess.PIPE, text=True)
    try:
        port = int(next(line for line in server.stderr if "Listening on port" in line).split()[-1])
        session = served.ok("create_debug_session", language="c")["sessionId"]
        served.ok("set_breakpoint", sessionId=session, file=str(source), statement="int later")
        config = {"debugger": debugger, "program": held}
        joined = served.ok("attach_to_process", sessionId=session, port=port, adapterConfig=config)
        assert joined["state"] == "paused" and joined["stopReason"] == "pause"
        stop = served.go(joined)
        assert stop["stopReason"] == "breakpoint" and values(stop)["sum"] == "55"
        assert served.go(stop)["exitCode"] == 0
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
