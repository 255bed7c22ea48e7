"""Why goroutines do not move: who waits for whom, what is busy, thousands alike."""

import pytest

from live.gophers import started

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]


@pytest.fixture
def hang(program):
    return program("go/hang")


def row(told, name):
    return next(one for one in told["threads"] if name in one["at"])


async def test_a_circle_of_mutexes_is_a_deadlock_with_its_holders(hang):
    async with started(hang, wait=2) as (go, stop):
        assert stop["state"] == "running"
        told = await go.ok("explain_hang")
        assert told["verdict"].startswith("deadlock: goroutine") and told["verdict"].count("held by goroutine") == 2
        assert "from.mu, locked at main.go:" in told["verdict"]
        assert row(told, "main.main")["waits"] == "wait group wg.Wait() (2 to go)"
        assert told["state"] == "running", "it goes on afterwards"
        stop = await go.ok("pause_execution")
        assert stop["state"] == "paused" and stop["location"]["function"] == "main.main"
        assert (await go.ok("explain_hang"))["verdict"] == told["verdict"]


async def test_what_runs_at_both_looks_is_busy(hang):
    async with started(hang, args=["spin"], wait=2) as (go, _):
        told = await go.ok("explain_hang")
        assert row(told, "main.spin")["busy"] is True and "mutex" in row(told, "main.transfer")["waits"]


async def test_thousands_that_stand_alike_are_one_row(hang):
    async with started(hang, args=["many"], wait=3) as (go, _):
        told = await go.ok("explain_hang")
        idle = row(told, "main.idle")
        assert "goroutines: " in idle["name"] and idle["waits"].startswith("receive from channel")
        assert "more goroutines were not looked at" in told["note"] and len(told["threads"]) < 10
        assert not told["verdict"].startswith("deadlock: all"), "those that were not seen may move"


async def test_thousands_of_goroutines_come_in_pages_the_stopped_one_first_with_its_labels(hang):
    async with started(hang, args=["many"], wait=3) as (go, _):
        stop = await go.ok("pause_execution")
        first = await go.ok("list_threads")
        assert first["threads"][0]["id"] == stop["lastStop"]["threadId"] and first["count"] == 200
        assert "[Go 1 request:r-17 tenant:blue] " in first["threads"][0]["name"]
        assert first["total"] >= 1000 and f"{first['total'] - 200} more" in first["truncation"]["notice"]
        assert f"Delve lists {first['total']} of 30" in first["note"]
        last = await go.ok("list_threads", start=first["total"] - 3, count=5)
        assert last["count"] == 3 and "truncation" not in last
        assert not {one["id"] for one in last["threads"]} & {one["id"] for one in first["threads"]}
        assert "Too many goroutines" not in await go.printed()
        (thread,) = (await go.ok("list_threads", start=700, count=1))["threads"]
        frames = (await go.ok("get_stack_trace", threadId=thread["id"]))["stackFrames"]
        assert frames[0]["name"] == "main.idle"


async def test_the_runtime_s_own_deadlock_stops_in_the_user_s_frame(program):
    async with started(program("go/ends"), args=["asleep"]) as (go, stop):
        assert stop["lastStop"]["text"] == '"all goroutines are asleep - deadlock!"'
        assert stop["location"]["function"] == "main.asleep" and stop["content"] == "<-never"
        told = await go.ok("explain_hang")
        assert told["verdict"].startswith("deadlock: the program's only goroutine waits")
        assert (await go.ok("continue_execution", wait=20))["exitCode"] == 2
