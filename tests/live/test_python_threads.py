"""Threads that meet breakpoints in the same instant: none runs past its own untold."""

import interpreters
import pytest

from live.driver import driver, line_of

pytestmark = pytest.mark.live

TOGETHER = """\
import threading
barrier = threading.Barrier(5)
done = []
def work(n):
    barrier.wait()
    done.append(n)
    if n in (7, 8):
        raise ValueError(n)
threads = [threading.Thread(target=work, args=(n,)) for n in range({first}, {first} + 5)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sorted(done))
"""


@pytest.fixture(params=["3.8", "3.11", "3.12"])
def python(request):
    """An interpreter that is traced by frames, and one by `sys.monitoring` (3.12)."""
    return interpreters.python(request.param)


async def together(d, path, python, *, first=0, breakpoints=None, **launch):
    """Run five threads that pass a barrier together; the stops, what was printed, how it ended."""
    path.write_text(TOGETHER.format(first=first))
    places = [{"file": str(path), "statement": "done.append(n)", **(breakpoints or {})}]
    told = await d.ok(
        "start_debugging", scriptPath=str(path), breakpoints=places, executablePath=python, wait=30, **launch
    )
    stops = []
    while told["state"] == "paused":
        stops.append(told)
        told = await d.ok("continue_execution", wait=30)
    return stops, await d.printed(), told


def numbers(stops):
    return sorted(int(next(v["value"] for v in stop["locals"] if v["name"] == "n")) for stop in stops)


async def test_each_of_five_threads_stops_in_its_turn(tmp_path, python):
    async with driver() as d:
        stops, printed, end = await together(d, tmp_path / "five.py", python)
        assert numbers(stops) == [0, 1, 2, 3, 4]
        assert len({stop["lastStop"]["threadId"] for stop in stops}) == 5
        assert "[0, 1, 2, 3, 4]" in printed and end["exitCode"] == 0
        rows = (await d.ok("list_breakpoints"))["breakpoints"]
        assert [row["hits"] for row in rows] == [5]


async def test_a_condition_is_judged_for_each_thread(tmp_path, python):
    async with driver() as d:
        stops, printed, _ = await together(d, tmp_path / "some.py", python, breakpoints={"condition": "n % 2 == 1"})
        assert numbers(stops) == [1, 3] and "[0, 1, 2, 3, 4]" in printed


async def test_every_thread_writes_its_message(tmp_path, python):
    async with driver() as d:
        stops, printed, _ = await together(d, tmp_path / "logs.py", python, breakpoints={"logMessage": "got {n}"})
        assert not stops and sorted(printed.split("got ")[1:], key=lambda text: text[0])[4].startswith("4")
        assert printed.count("got ") == 5


async def test_a_breakpoint_that_is_removed_holds_nobody_any_more(tmp_path, python):
    path = tmp_path / "gone.py"
    path.write_text(TOGETHER.format(first=0))
    async with driver() as d:
        told = await d.ok(
            "start_debugging",
            scriptPath=str(path),
            executablePath=python,
            breakpoints=[{"file": str(path), "line": line_of(path, "done.append(n)")}],
            wait=30,
        )
        assert told["state"] == "paused"
        await d.ok("clear_breakpoints")
        assert (await d.ok("continue_execution", wait=30))["state"] == "stopped"


async def test_a_step_of_one_thread_loses_no_stop_of_another(tmp_path, python):
    path = tmp_path / "step.py"
    path.write_text(TOGETHER.format(first=0))
    place = {"file": str(path), "statement": "done.append(n)"}
    async with driver() as d:
        told = await d.ok("start_debugging", scriptPath=str(path), executablePath=python, breakpoints=[place], wait=30)
        seen = set()
        while told["state"] == "paused":
            if told["lastStop"]["reason"] == "breakpoint":
                seen.add(next(v["value"] for v in told["locals"] if v["name"] == "n"))
            told = await d.ok("step_over")
            if told["state"] == "running":
                told = await d.ok("wait_for_stop", timeout=20000)
        assert seen == {"0", "1", "2", "3", "4"}


async def test_exceptions_of_several_threads_are_all_told(tmp_path, python):
    async with driver() as d:
        stops, _, _ = await together(
            d, tmp_path / "odd.py", python, first=5, breakpoints={"condition": "False"}, breakOnExceptions="uncaught"
        )
        told = sorted(stop["lastStop"]["exceptionInfo"]["description"] for stop in stops)
        assert told == ["7", "8"]
