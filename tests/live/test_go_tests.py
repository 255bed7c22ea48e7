"""`debug_test` for go test: every way in which a test fails stops in the user's code, with what was compared."""

import subprocess

import pytest

from live.driver import driver, line_of
from live.gophers import WAIT

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]


async def failing(go, folder, test):
    stop = await go.call("debug_test", test=test, language="go", cwd=str(folder), wait=WAIT)
    if stop.get("code") == "setup":
        pytest.skip(stop["error"])
    while stop["success"] and stop["state"] in ("starting", "running"):
        stop = await go.call("wait_for_stop", sessionId=stop["sessionId"], timeout=44_000)
    assert stop["success"], stop
    return stop


@pytest.mark.parametrize(
    ("test", "statement", "name", "sides"),
    [
        ("TestTable", 't.Errorf("Mean(%v)', "TestTable/three/odd", ("2", "3")),
        ("TestFatal", "t.Fatalf(", "TestFatal", ("5", "6")),
        ("TestParallel/n=2", 't.Errorf("got %d, want 1"', "TestParallel/n=2", ("2", "1")),
        ("FuzzMean/seed#1", 't.Errorf("Mean(%d, 2)', "FuzzMean/seed#1", None),
    ],
)
async def test_a_failing_test_stops_at_the_line_that_reports_it(program, test, statement, name, sides):
    folder = program("go/cases")
    async with driver() as go:
        stop = await failing(go, folder, test)
        failure = stop["failure"]
        assert stop["location"]["line"] == line_of(folder / "cases_test.go", statement) and failure["test"] == name
        assert failure.get("comparison") == (sides and {"left": sides[0], "right": sides[1]})
        assert stop["rerun"][:3] == ["go", "test", "-run"]


async def test_the_failure_is_told_past_a_breakpoint_and_after_a_restart(program):
    folder = program("go/cases")
    place = {"file": str(folder / "cases_test.go"), "function": "TestFatal"}
    async with driver() as go:
        asked = {"test": "TestFatal", "language": "go", "cwd": str(folder), "breakpoints": [place], "wait": WAIT}
        first = await go.ok("debug_test", **asked)
        assert first["stopReason"] == "function breakpoint" and "failure" not in first
        failed = await go.ok("continue_execution", wait=WAIT)
        assert failed["failure"]["comparison"] == {"left": "5", "right": "6"}
        end = await go.ok("continue_execution", wait=WAIT)
        assert end["state"] == "stopped" and end["testPassed"] is False
        await go.ok("restart_debugging", wait=WAIT)
        again = await go.ok("continue_execution", wait=WAIT)
        assert again["failure"]["comparison"] == failed["failure"]["comparison"]


async def test_a_panic_in_a_test_stops_where_it_was_raised(program):
    folder = program("go/cases")
    async with driver() as go:
        stop = await failing(go, folder, "TestPanics")
        assert stop["location"]["line"] == line_of(folder / "cases.go", "return sum / len(xs)")
        assert stop["failure"]["message"] == "panic: runtime error: integer divide by zero"
        assert [one["function"] for one in stop["failure"]["userFrames"]] == ["cases.Mean", "cases.TestPanics"]


async def test_a_test_over_its_time_limit_stops_where_it_hangs(program):
    folder = program("go/cases")
    async with driver() as go:
        asked = {"test": "TestHangs", "language": "go", "cwd": str(folder), "args": ["-test.timeout=1s"], "wait": WAIT}
        stop = await go.ok("debug_test", **asked)
        assert stop["location"]["function"] == "cases.TestHangs" and stop["content"] == "<-never"
        assert "test timed out after 1s" in stop["failure"]["message"] and "another thread" in stop["note"]
        told = await go.ok("explain_hang")
        assert not any("_testmain" in one["at"] for one in told["threads"])


@pytest.mark.parametrize(
    ("test", "passed", "said"),
    [
        ("TestPasses", True, "1 passed"),
        ("BenchmarkMean", True, "1 passed"),
        ("TestSkips", None, "1 skipped"),
        ("TestNowhere", None, "no test of that name ran"),
    ],
)
async def test_a_run_that_ends_has_the_runner_s_verdict(program, test, passed, said):
    async with driver() as go:
        stop = await failing(go, program("go/cases"), test)
        assert stop["state"] == "stopped" and stop.get("testPassed") is passed and said in stop["message"]


async def test_an_example_that_printed_something_else_is_compared(program):
    async with driver() as go:
        stop = await failing(go, program("go/cases"), "ExampleMean")
        assert stop["testPassed"] is False and stop["failure"]["comparison"] == {"left": "2", "right": "3"}


@pytest.mark.parametrize(
    ("test", "statement", "left"),
    [
        ("TestAssert", "assert.Equal(t, 3, got", "3"),
        ("TestRequire", "require.Equal(t,", "[]int{3}"),
        ("TestMeanSuite/TestOne", "s.Equal(6, got)", "6"),
    ],
)
async def test_testify_stops_in_the_test_with_both_sides(program, test, statement, left):
    folder = program("go/asserted")
    fetched = subprocess.run(["go", "mod", "download"], cwd=folder, capture_output=True, timeout=60)
    if fetched.returncode != 0:
        pytest.skip(f"testify cannot be fetched: {fetched.stderr.decode()[-200:]}")
    async with driver() as go:
        stop = await failing(go, folder, test)
        assert stop["location"]["line"] == line_of(folder / "asserted_test.go", statement)
        assert stop["failure"]["comparison"]["left"] == left
