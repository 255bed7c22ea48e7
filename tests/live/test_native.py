"""C, C++ and Rust with their real debuggers, through the real server."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from dap import line_of

from dapwright.adapters import _gdb, _lldb
from dapwright.host import machine
from live.served import values

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc", "g++"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]


def built(source, *flags):
    program = str(source.with_suffix(""))
    compiler = "gcc" if source.suffix == ".c" else "g++"
    subprocess.run([compiler, "-g", "-O0", "-o", program, source, *flags], check=True)
    return program


@pytest.fixture
def gdb_made_core(tmp_path):
    def make(program, *args):
        gdb, core = _gdb.beside(machine(), "gdb"), str(tmp_path / "core.1")
        words = ["-ex", "run", "-ex", f"generate-core-file {core}", "--args", program, *args]
        subprocess.run([gdb, "-q", "-nx", "-batch", *words], capture_output=True, timeout=60)
        return core

    return make


def test_two_files_of_one_name_are_two(served, case, tmp_path):
    folder = case("C76")
    subprocess.run(["sh", folder / "build.sh", tmp_path / "out"], check=True)
    code = str(folder / "first" / "code.c")
    stop = served.run("c", {"file": code, "line": 2}, program=str(tmp_path / "out" / "same"))
    assert stop["location"]["file"] == code and stop["location"]["line"] == 2
    assert served.go(stop)["exitCode"] == 0


def test_a_stripped_program_says_why_nothing_binds(served, case, tmp_path):
    folder = case("C76")
    subprocess.run(["sh", folder / "build.sh", tmp_path / "out"], check=True)
    place = {"file": str(folder / "first" / "code.c"), "line": 2}
    end = served.run("c", place, program=str(tmp_path / "out" / "stripped"))
    assert end["state"] == "stopped" and "no debug information" in end["unhitBreakpoints"][0]["reason"]


def test_a_source_newer_than_the_program_is_told(served, case, tmp_path):
    folder = case("C76")
    subprocess.run(["sh", folder / "build.sh", tmp_path / "out"], check=True)
    later = time.time() + 60
    os.utime(folder / "first" / "code.c", (later, later))
    end = served.run("c", program=str(tmp_path / "out" / "same"))
    assert "stale build" in end["warning"] and "first/code.c" in end["warning"]


def test_a_lone_source_that_was_written_again_as_it_was_is_not_stale(served, program):
    source = program("native") / "loop.c"
    for _ in range(2):
        stop = served.run("c", {"file": str(source), "statement": "sum += i;"}, scriptPath=str(source))
        assert stop["state"] == "paused" and "stale" not in stop.get("warning", "")
        served.ok("close_debug_session", sessionId=stop["sessionId"])
        later = time.time() + 5
        os.utime(source, (later, later))


@pytest.mark.parametrize(
    ("how", "signal", "line"),
    [("segv", "SIGSEGV", "*bad = 1"), ("abort", "SIGABRT", "abort()"), ("fpe", "SIGFPE", "(argc + 7) / z")],
)
def test_a_fatal_signal_stops_in_the_users_line_and_ends_without_a_code(served, case, how, signal, line):
    source = case("C77") / "dies.c"
    stop = served.run("c", program=built(source), args=[how])
    assert stop["stopReason"] == "exception" and signal in stop["lastStop"]["description"]
    assert stop["location"]["line"] == line_of(source, line)
    end = served.go(stop)
    assert end["signal"] == signal and "exitCode" not in end


@pytest.mark.parametrize(("how", "code"), [("usr1", 0), ("code", 44)])
def test_an_end_has_its_code_and_all_that_was_printed(served, case, how, code):
    end = served.run("c", program=built(case("C77") / "dies.c"), args=[how])
    assert end["state"] == "stopped" and end["exitCode"] == code
    assert f"no newline, no flush [{how}]" in end["output"]


def test_input_is_fed_and_closed(served, case):
    program = built(case("C77") / "dies.c")
    session = served.ok("create_debug_session", language="c")["sessionId"]
    served.ok("start_debugging", sessionId=session, program=program, args=["read"], wait=1)
    served.ok("send_input", sessionId=session, text="", close=True)
    assert "[read]<eof>" in served.settled(served.ok("wait_for_stop", sessionId=session))["output"]


def test_a_failing_condition_is_told_and_does_not_stop(served, program):
    source = str(program("native") / "loop.c")
    place = {"file": source, "statement": "sum += i;", "condition": "p->v == 3"}
    end = served.run("c", place, scriptPath=source)
    assert end["state"] == "stopped" and "Cannot access memory" in end["warning"]


def test_a_logpoint_counts_its_hits(served, program):
    source = str(program("native") / "loop.c")
    end = served.run("c", {"file": source, "statement": "sum += i;", "logMessage": "i={i}"}, scriptPath=source)
    assert "i=10" in end["output"]
    assert served.ok("list_breakpoints", sessionId=end["sessionId"])["breakpoints"][0]["hits"] == 10


def test_memory_machine_code_and_time_going_backwards(served, program):
    source = str(program("native") / "loop.c")
    stop = served.run("c", {"file": source, "statement": "sum += i;", "hitCondition": "3"}, scriptPath=source)
    assert values(stop)["i"] == "3" and values(stop)["sum"] == "3"
    assert served.ok("read_memory", expression="sum", count=4)["hex"] == "03 00 00 00"
    assert served.ok("write_memory", expression="sum", hex="2a 00 00 00")["hex"] == "2a 00 00 00"
    assert served.ok("evaluate_expression", expression="sum")["result"] == "42"
    assert served.ok("set_variable", name="sum", value="3")["value"] == "3"
    rows = served.ok("disassemble", count=3)["instructions"]
    assert len(rows) == 3 and rows[0]["line"] == stop["location"]["line"]
    assert served.call("step_back")["success"] is False
    served.ok("record")
    served.ok("set_breakpoint", watch="sum")
    written = served.go(stop)
    assert written["watch"] == {"expression": "sum", "old": "3", "new": "6"}
    back = served.settled(served.ok("reverse_continue"))
    assert values(back)["sum"] == "3"


def test_an_attached_program_lives_on_untraced(served, tmp_path):
    source = tmp_path / "tick.c"
    source.write_text(
        "#include <stdio.h>\n#include <unistd.h>\nint ticks;\nint main(void) {\n    for (;;) {\n        ticks++;\n"
        '        printf("%d\\n", ticks);\n        fflush(stdout);\n        usleep(20000);\n    }\n}\n'
    )
    with subprocess.Popen([built(source)], stdout=subprocess.PIPE) as target:
        try:
            target.stdout.readline()
            session = served.ok("create_debug_session", language="c")["sessionId"]
            stop = served.ok("attach_to_process", sessionId=session, processId=target.pid)
            assert stop["state"] == "paused"
            assert int(served.ok("evaluate_expression", expression="ticks")["result"]) > 0
            served.ok("detach_from_process", sessionId=session)
            status = Path(f"/proc/{target.pid}/status").read_text()
            assert target.poll() is None and "TracerPid:\t0" in status
        finally:
            target.kill()


def test_a_process_that_is_not_there_is_refused_in_words(served):
    session = served.ok("create_debug_session", language="c")["sessionId"]
    told = served.call("attach_to_process", sessionId=session, processId=4_000_000)
    assert told["success"] is False and told["error"].endswith("No such process")


def test_cpp_exceptions_by_type(served, program):
    source = str(program("native") / "throws.cpp")
    stop = served.run("cpp", scriptPath=source, breakOnExceptions=["mine"])
    assert "mine says" in str(stop["lastStop"]) and stop["location"]["function"].startswith("risky")
    assert served.go(stop)["exitCode"] == 0


@pytest.mark.skipif(not _lldb.find(machine()), reason="there is no lldb-dap")
def test_lldb_is_taken_where_it_is_asked_for_and_counts_as_gdb_does(served, program):
    source = str(program("native") / "loop.c")
    place = {"file": source, "statement": "sum += i;", "hitCondition": "3"}
    stop = served.run("c", place, scriptPath=source, debugger="lldb")
    assert values(stop)["i"] == "3" and "lldb-dap" in stop["note"]
    assert served.go(stop)["exitCode"] == 0


def test_what_does_not_compile_answers_with_the_compilers_words(served, tmp_path):
    source = tmp_path / "broken.cpp"
    source.write_text('int main() {\n    int x = "seven";\n}\n')
    session = served.ok("create_debug_session", language="cpp")["sessionId"]
    told = served.call("start_debugging", sessionId=session, scriptPath=str(source), wait=40)
    assert told["code"] == "build" and "broken.cpp:2" in told["error"]


@pytest.mark.needs("cargo")
def test_rust_values_panics_and_library_frames(served, case):
    crate = case("C78") / "crate"
    library, main = crate / "src" / "lib.rs", str(crate / "src" / "main.rs")
    place = {"file": str(library), "statement": "Shape::Rect { w, h } => w * h, // BP in lib, hit from the test binary"}
    stop = served.run("rust", place, scriptPath=main)
    assert stop["location"]["file"] == str(library) and "Rect{w: 1.5, h: 4}" in values(stop)["s"]
    panic = served.go(stop)
    assert panic["stopReason"] == "exception" and "index out of bounds" in panic["lastStop"]["description"]
    assert panic["location"] == {"file": str(library), "line": line_of(library, "v[i]"), "function": "shapes::pick"}
    assert served.go(panic)["exitCode"] == 101


@pytest.mark.needs("cargo")
def test_rust_functions_by_bare_names(served, case):
    main = str(case("C78") / "crate" / "src" / "main.rs")
    stop = served.run("rust", {"function": "area"}, scriptPath=main)
    assert stop["stopReason"] == "function breakpoint" and stop["location"]["function"] == "shapes::area"


@pytest.mark.needs("cargo")
def test_a_failing_rust_test_in_one_call(served, case):
    crate = case("C78") / "crate"
    stop = served.settled(served.ok("debug_test", test="tests::out_of_range", language="rust", cwd=str(crate), wait=44))
    assert "index out of bounds" in stop["failure"]["message"]
    assert stop["location"]["line"] == line_of(crate / "src" / "lib.rs", "v[i]")
    assert [frame["function"] for frame in stop["failure"]["userFrames"]][:2] == [
        "shapes::pick",
        "shapes::tests::out_of_range",
    ]
    assert stop["rerun"] == ["cargo", "test", "tests::out_of_range"]


@pytest.mark.needs("cmake")
def test_a_failing_googletest_in_one_call(served, program, tmp_path):
    source, build = program("native/gtest"), tmp_path / "build"
    made = subprocess.run(["cmake", "-S", source, "-B", build], capture_output=True, text=True)
    if "GTest" in made.stderr:
        pytest.skip("there is no GoogleTest")
    launch = {"language": "cpp", "cwd": str(build), "wait": 44}
    stop = served.settled(served.ok("debug_test", test="Math.Adds", **launch))
    assert values(stop)["got"] == "-1" and stop["failure"]["message"].startswith(f"{source}/t.cpp:6: Failure")
    assert stop["failure"]["comparison"] == {"left": "-1", "right": "5"}
    passed = served.settled(served.ok("debug_test", test="Math.Fine", **launch))
    assert passed["testPassed"] is True and passed["exitCode"] == 0
    for name, runner in (
        ("All/Sizes.Small/1", {}),
        ("Sizes.Small/1", {"runner": "gtest", "adapterLaunchConfig": {"program": str(build / "t")}}),
    ):
        stop = served.settled(served.ok("debug_test", test=name, **launch, **runner))
        assert values(stop)["half"] == "3" and stop["location"]["line"] == line_of(source / "t.cpp", "EXPECT_LT(half")


def test_a_core_is_looked_at_and_one_of_another_program_told(served, case, program, gdb_made_core):
    dies = built(case("C77") / "dies.c")
    core = gdb_made_core(dies, "segv")
    stop = served.run("c", program=dies, coreFile=core)
    assert stop["stopReason"] == "exception" and "SIGSEGV: Segmentation fault" in stop["lastStop"]["description"]
    assert values(stop)["argc"] == "2" and served.call("step_over", sessionId=stop["sessionId"])["success"] is False
    served.ok("close_debug_session", sessionId=stop["sessionId"])
    other = served.run("c", program=built(program("native") / "loop.c"), coreFile=core)
    assert "the core is of" in other["warning"]
