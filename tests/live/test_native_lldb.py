"""lldb-dap and CodeLLDB in gdb's place: the same words for what each tells in its own."""

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
