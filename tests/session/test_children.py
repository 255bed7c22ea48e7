"""Child processes: connections of their own, each with ids of its own."""

import asyncio

from fake_adapter import written
from lived import lived, paused


def _ask_for_a_child(bench, folder, port=5000):
    script = written(folder, "x = 41\ny = x + 1\n", "child.mock")
    asked = {"configuration": {"program": script, "connect": {"host": "127.0.0.1", "port": port}, "name": "child 9"}}
    bench.fake.send({"type": "request", "command": "startDebugging", "arguments": {"request": "attach", **asked}})
    return script


@lived
async def test_a_child_is_debugged_beside_its_parent(bench, folder):
    await paused(bench, folder)
    parent = bench.fake
    await bench.ok("set_breakpoint", file=written(folder, "x = 41\ny = x + 1\n", "child.mock"), statement="y = x + 1")
    _ask_for_a_child(bench, folder)
    (session,) = bench.sessions
    assert await session.until(lambda: len(session.stops) == 2, 5)
    child = bench.fake
    assert child is not parent
    first = await bench.ok("wait_for_stop")
    assert first["location"]["file"].endswith("shop.mock") and first["alsoPaused"][0]["process"] == "child 9"
    second = await bench.ok("continue_execution", wait=True)
    assert second["location"]["file"].endswith("child.mock")
    assert second["lastStop"]["threadId"] != first["lastStop"]["threadId"], "the engines' ids collide, ours do not"
    assert parent.asked("continue") and not child.asked("continue")


@lived
async def test_the_end_of_a_child_is_not_the_end_of_the_program(bench, folder):
    await paused(bench, folder)
    parent = bench.fake
    _ask_for_a_child(bench, folder)
    (session,) = bench.sessions
    assert await session.until(lambda: len(session.connections) == 2, 5)
    assert await session.until(lambda: len(session.connections) == 1, 30)
    assert session.state == "paused" and session.main.client is not None and not parent.dead
    end = await bench.ok("clear_breakpoints") and await bench.ok("continue_execution", wait=True)
    assert end["state"] == "stopped" and end["exitCode"] == 0


@lived
async def test_a_child_that_nobody_serves_is_told_and_costs_nothing(bench, folder):
    await paused(bench, folder)
    _ask_for_a_child(bench, folder, port=1)
    await asyncio.sleep(1)
    told = await bench.ok("step_over")
    assert told["state"] == "paused" and "child process could not be debugged" in told["note"]
