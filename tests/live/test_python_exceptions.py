"""Python's exceptions, exits and launches that cannot work."""

import pytest

from live.driver import driver

pytestmark = pytest.mark.live


async def stops(d, file, **launch):
    """Run to the end, going on at each stop: the stops and the end."""
    found = []
    await d.ok("create_debug_session", language="python")
    told = await d.ok("start_debugging", scriptPath=str(file), wait=30, **launch)
    while told["state"] == "paused":
        found.append(told)
        told = await d.ok("continue_execution", wait=30)
    assert told["state"] == "stopped", told
    return found, told


def summary(stop):
    return stop["location"]["line"], stop["lastStop"]["exceptionInfo"]["exceptionId"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("none", []),
        ("uncaught", [(8, "KeyError")]),
        ("all", [(6, "Odd"), (8, "KeyError"), (8, "KeyError")]),
        (["Odd"], [(6, "Odd"), (8, "KeyError")]),
        (["LookupError"], [(8, "KeyError"), (8, "KeyError")]),
    ],
    ids=str,
)
async def test_each_exception_stops_once_and_its_end_is_told_as_the_same(case, wanted, expected):
    file = case("C19") / "errs.py"
    async with driver() as d:
        found, end = await stops(d, file, breakOnExceptions=wanted)
        assert [summary(stop) for stop in found] == expected
        assert end["exitCode"] == 1
        repeated = [stop for stop in found if "told before" in stop.get("note", "")]
        assert len(repeated) == (1 if len(expected) != len(set(expected)) else 0)
        if expected:
            info = found[-1]["lastStop"]["exceptionInfo"]
            assert info["description"] == "'nobody catches me'"
            assert info["details"]["userFrames"][0]["function"] == "risky"


async def test_the_ends_of_generators_are_no_exceptions(case):
    async with driver() as d:
        found, end = await stops(d, case("C19") / "noise.py", breakOnExceptions="all")
        assert {summary(stop)[1] for stop in found} <= {"AttributeError"} and end["exitCode"] == 0


async def test_the_causes_of_an_exception_are_told(tmp_path):
    file = tmp_path / "chain.py"
    file.write_text(
        "def load():\n    try:\n        {}['key']\n    except KeyError as missing:\n"
        "        raise ValueError('no such thing') from missing\n\n\ntry:\n    load()\nexcept ValueError:\n"
        "    raise RuntimeError('gave up')\n"
    )
    async with driver() as d:
        found, end = await stops(d, file)
        chain = found[0]["lastStop"]["exceptionInfo"]["details"]["exceptionChain"]
        assert [(row["type"], row["relation"]) for row in chain] == [("ValueError", "context"), ("KeyError", "cause")]
        assert end["exitCode"] == 1


async def test_a_traceback_begins_with_the_program(case):
    async with driver() as d:
        await stops(d, case("C19") / "errs.py", breakOnExceptions="none")
        lines = [line for line in (await d.printed("stderr")).splitlines() if line.startswith("  File")]
        assert len(lines) == 3 and all("errs.py" in line for line in lines)


@pytest.mark.parametrize(
    ("how", "code", "signal"),
    [
        ("exit7", 7, None),
        ("_exit9", 9, None),
        ("segv", None, "SIGSEGV"),
        ("kill", None, "SIGKILL"),
        ("term", None, "SIGTERM"),
        ("abort", None, "SIGABRT"),
    ],
)
async def test_an_exit_is_no_crash_and_a_signal_has_its_name(case, how, code, signal):
    async with driver() as d:
        found, end = await stops(d, case("C43") / "deaths.py", args=[how])
        assert not found and end.get("exitCode") == code and end.get("signal") == signal


async def test_an_exception_in_a_thread_stops_there_and_the_program_goes_on(case):
    async with driver() as d:
        found, end = await stops(d, case("C43") / "deaths.py", args=["thread"])
        assert [stop["location"]["function"] for stop in found] == ["boom"] and end["exitCode"] == 0
        assert "main survives" in await d.printed("stdout")


async def test_a_syntax_error_ends_the_program_with_its_place(case):
    async with driver() as d:
        found, end = await stops(d, case("C54") / "syntax.py")
        assert not found and end["exitCode"] == 1
        assert "SyntaxError" in end["output"] and 'syntax.py", line 2' in end["output"]
        assert "debugpy" not in end["output"]


async def test_a_missing_module_stops_at_its_import(case):
    async with driver() as d:
        found, _ = await stops(d, case("C54") / "badimport.py")
        assert summary(found[0]) == (2, "ModuleNotFoundError")


async def test_code_without_a_file_is_told_as_such(case):
    file = case("C41") / "dynamic.py"
    async with driver() as d:
        found, _ = await stops(d, file)
        assert found[0]["location"]["line"] == 11 and found[0]["location"]["file"] == str(file)
        await d.refused("set_breakpoint", file="letter.tmpl", line=2)


@pytest.mark.parametrize("condition", ["n ==", "n = 1", "import os"])
async def test_a_condition_that_cannot_be_read_is_refused(case, condition):
    file = case("C31") / "nested.py"
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        told = await d.refused("set_breakpoint", file=str(file), line=2, condition=condition)
        assert "cannot be read" in told
        assert not (await d.ok("list_breakpoints"))["count"]
