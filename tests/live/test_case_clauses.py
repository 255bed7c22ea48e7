"""What the public cases C36, C58, C74, C76 and C78 ask beyond the tests beside each language's own."""

import subprocess
import sys
from pathlib import Path

import pytest
from places import line_of

from live.served import values

pytestmark = pytest.mark.live


def test_c36_each_xdist_worker_stops_as_a_process_of_its_own(served, case):
    folder = case("C36")
    session = served.ok("create_debug_session", language="python", executablePath=sys.executable)["sessionId"]
    line = line_of(folder / "test_many.py", "rest = n % 2")
    served.ok("set_breakpoint", sessionId=session, file=str(folder / "test_many.py"), line=line)
    args = ["-q", "-n", "2", "-p", "no:cacheprovider", str(folder / "test_many.py")]
    stop = served.ok("start_debugging", sessionId=session, module="pytest", args=args, cwd=str(folder), wait=40)
    processes = []
    while (stop := served.settled(stop))["state"] == "paused":
        assert stop["location"]["line"] == line and len(processes) < 8
        processes.append(stop["lastStop"]["process"])
        stop = served.ok("continue_execution", sessionId=session, threadId=stop["lastStop"]["threadId"], wait=40)
    assert len(processes) == 4 and len(set(processes)) <= 2 and stop["exitCode"] == 0
    printed = served.ok("get_output", sessionId=session, limit=1000)["entries"]
    assert "4 passed" in "".join(entry["output"] for entry in printed)


def test_c58_a_restart_is_a_new_process_with_the_same_arguments_environment_and_folder(served, case, tmp_path):
    script, seen = tmp_path / "app.py", []
    script.write_text((case("C58") / "crashy.py").read_text())
    place = {"file": str(script), "statement": "total += 6 // n", "condition": "n < 3"}
    stop = served.run("python", place, scriptPath=str(script), args=["a b"], env={"MODE": "x"}, cwd=str(tmp_path))
    session = stop["sessionId"]
    who = "__import__('os').getpid(), sys.argv[1:], __import__('os').environ['MODE'], __import__('os').getcwd()"

    def look():
        told = served.ok("evaluate_expression", sessionId=session, expression=who)["result"]
        return told.strip("()").partition(", ")

    first, _, rest = look()
    script.write_text((case("C58") / "crashy_fixed.py").read_text())
    for _ in range(2):
        stop = served.settled(served.ok("restart_debugging", sessionId=session, wait=40))
        pid, _, again = look()
        assert pid != first and again == rest and "'a b'" in again and "'x'" in again
        while stop["state"] == "paused":
            seen.append((stop["location"]["line"], values(stop)["n"]))
            stop = served.go(stop)
        assert stop["exitCode"] == 0
    line = line_of(script, "total += 6 // n")
    assert seen == [(line, "2"), (line, "1")] * 2 and line == 6


@pytest.mark.needs("go", "dlv")
def test_c74_every_error_of_a_failed_build_is_told(served, case):
    session = served.ok("create_debug_session", language="go")["sessionId"]
    broken = str(case("C74") / "broken" / "main.go")
    told = served.call("start_debugging", sessionId=session, scriptPath=broken, wait=40)
    assert "main.go:6:18" in told["error"] and "main.go:7:21" in told["error"]


@pytest.mark.needs("gdb", "gcc")
@pytest.mark.parametrize("program", ["same", "optimised", "stripped"])
def test_c76_a_line_of_one_of_two_files_of_a_name(served, case, tmp_path, program):
    folder = case("C76")
    subprocess.run(["sh", folder / "build.sh", tmp_path / "out"], check=True)
    code = folder / "first" / "code.c"
    session = served.ok("create_debug_session", language="c")["sessionId"]
    before = served.ok("set_breakpoint", sessionId=session, file=str(code), line=2)
    assert before["verified"] is False
    told = served.ok("start_debugging", sessionId=session, program=str(tmp_path / "out" / program), wait=40)
    stops = []
    while (told := served.settled(told))["state"] == "paused":
        stops.append((told["location"]["file"], told["location"]["function"]))
        (row,) = served.ok("list_breakpoints", sessionId=session)["breakpoints"]
        assert row["verified"] is True and row["hits"] == 1
        assert program == "same" or "-O2" in told["warning"]
        told = served.ok("continue_execution", sessionId=session, wait=40)
    assert stops == ([] if program == "stripped" else [(str(code), "first_part")])
    if program == "stripped":
        (row,) = served.ok("list_breakpoints", sessionId=session)["breakpoints"]
        assert row["verified"] is False and "no debug information" in row["message"]


@pytest.mark.needs("gdb", "cargo")
def test_c78_a_line_of_the_library_is_hit_in_the_thread_of_a_test(served, case):
    crate = case("C78") / "crate"
    line = line_of(crate / "src" / "lib.rs", "BP in lib")
    asked = {"test": "tests::rect_area", "language": "rust", "cwd": str(crate), "wait": 44}
    place = {"file": str(crate / "src" / "lib.rs"), "line": line}
    stop = served.settled(served.ok("debug_test", **asked, breakpoints=[place]))
    assert (stop["location"]["file"], stop["location"]["line"]) == (place["file"], line)
    threads = served.ok("list_threads", sessionId=stop["sessionId"])["threads"]
    names = {thread["id"]: thread["name"] for thread in threads}
    assert names[stop["lastStop"]["threadId"]] == "tests::rect_area"[:15]  # Linux keeps no more of a name
    end = served.go(stop)
    assert end["exitCode"] == 0


@pytest.mark.needs("gdb", "cargo")
def test_c78_values_are_readable_and_a_line_with_a_closure_stops_in_both(served, case):
    main = case("C78") / "crate" / "src" / "main.rs"
    place = {"file": str(main), "line": line_of(main, "let sum")}
    stop = served.run("rust", place, scriptPath=str(main))
    shown = values(stop)
    assert "größe" in shown["name"] and "Some" in shown["maybe"] and "Dot" in str(shown["list"]), shown
    assert Path(stop["location"]["file"]) == main
    seen = []
    while stop["state"] == "paused" and stop["stopReason"] == "breakpoint":
        seen.append(stop["location"]["function"])
        stop = served.go(stop)
    assert any("closure" in function for function in seen) and seen[0].endswith("main")
