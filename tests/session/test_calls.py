"""Calls side by side on one session, calls that are cut off, and what a trail tells of them."""

import asyncio
import json

from fake_adapter import FOREVER, FakeAdapter, written
from lived import lived, paused

from dapwright.sessions import NAMELESS


@lived
async def test_one_call_moves_the_program_and_the_others_are_told_which(bench, folder):
    script = written(folder, "x = 1\nsleep 3\ny = 2\nz = 3\n")
    await bench.ok("start_debugging", language="mock", scriptPath=script, stopOnEntry=True)
    await bench.ok("step_over")
    step = asyncio.create_task(bench.answer("step_over"))
    await asyncio.sleep(1)
    for tool in ("step_over", "continue_execution", "restart_debugging", "step_out"):
        refused = await bench.refused(tool)
        assert refused["code"] == "busy" and "step_over" in refused["error"], refused
    assert (await bench.ok("list_threads"))["count"] == 1
    assert (await bench.ok("get_output"))["dropped"] == 0
    await bench.ok("set_breakpoint", file=script, statement="z = 3")
    assert (await step).structured["location"]["line"] == 3


@lived
async def test_a_pause_works_while_a_call_waits(bench, folder):
    script = written(folder, FOREVER)
    await bench.ok("start_debugging", language="mock", scriptPath=script, stopOnEntry=True)
    waiting = asyncio.create_task(bench.answer("continue_execution", wait=True))
    await asyncio.sleep(2)
    assert (await bench.ok("pause_execution"))["lastStop"]["reason"] == "pause"
    assert (await waiting).structured["lastStop"]["reason"] == "pause"


@lived
async def test_a_call_that_is_cancelled_lets_go_of_the_program(bench, folder):
    script = written(folder, FOREVER)
    await bench.ok("start_debugging", language="mock", scriptPath=script, stopOnEntry=True)
    waiting = asyncio.create_task(bench.answer("continue_execution", wait=True))
    await asyncio.sleep(2)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert (await bench.ok("pause_execution"))["state"] == "paused"
    assert (await bench.ok("continue_execution"))["state"] == "running"


@lived
async def test_a_launch_whose_call_is_cancelled_goes_on_and_can_be_waited_for(bench, folder):
    bench.make = lambda: FakeAdapter("launch", "answers-late")
    script = written(folder)
    begun = asyncio.create_task(
        bench.answer("start_debugging", language="mock", scriptPath=script, breakpoints=[{"file": script, "line": 7}])
    )
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    begun.cancel()
    await asyncio.wait([begun])
    live = [session for session in bench.sessions if session.live]
    if live and live[0].state != "created":
        assert (await bench.ok("wait_for_stop"))["state"] == "paused"
    elif live:
        await bench.ok("start_debugging", sessionId=live[0].id, scriptPath=script)


@lived
async def test_closing_during_the_launch_leaves_nothing(bench, folder):
    for step in ("initialize", "launch", "setBreakpoints", "configurationDone"):
        bench.make = lambda step=step: FakeAdapter(step, "hangs")
        script = written(folder)
        begun = asyncio.create_task(
            bench.answer(
                "start_debugging", language="mock", scriptPath=script, breakpoints=[{"file": script, "line": 7}]
            )
        )
        await asyncio.sleep(1)
        (session,) = bench.sessions
        await asyncio.gather(*(bench.answer("close_debug_session", sessionId=session.id) for _ in range(3)))
        assert (await begun).structured["state"] in ("stopped", "error"), step
        assert all(fake.closed for fake in bench.made), step
        assert not list(bench.sessions)


@lived
async def test_two_starts_at_once_are_two_sessions(bench, folder):
    script = written(folder)
    places = [{"file": script, "line": 7}]
    told = await asyncio.gather(
        *(bench.ok("start_debugging", language="mock", scriptPath=script, breakpoints=places) for _ in range(2))
    )
    assert [one["state"] for one in told] == ["paused", "paused"]
    assert told[0]["sessionId"] != told[1]["sessionId"]


@lived
async def test_a_start_takes_over_from_a_warm_start_that_fails(bench, folder):
    adapters = [FakeAdapter("initialize", "dies")]
    bench.make = lambda: adapters.pop() if adapters else FakeAdapter()
    assert (await paused(bench, folder))["state"] == "paused"
    assert len(bench.made) == 2 and bench.made[0].closed


@lived
async def test_restart_runs_the_same_again_and_old_events_say_nothing(bench, folder):
    first = await paused(bench, folder)
    old = bench.fake
    again = await bench.ok("restart_debugging")
    assert again["state"] == "paused" and again["breakpointsReapplied"] == 1
    assert old.closed and bench.fake is not old
    assert again["sessionId"] == first["sessionId"]
    old.on_data(b'Content-Length: 73\r\n\r\n{"type":"event","event":"terminated","seq":1,"body":{"restart":false   }}')
    await asyncio.sleep(1)
    assert (await bench.ok("get_local_variables"))["count"] == 4


@lived
async def test_a_session_of_a_client_that_went_is_ended_after_its_lease(bench, folder):
    told = await paused(bench, folder)
    bench.sessions.leave("local", seconds=60)
    await asyncio.sleep(59)
    bench.sessions.arrive("local")
    await asyncio.sleep(60)
    assert (await bench.ok("get_local_variables"))["count"] == 4, "it came back in time"
    bench.sessions.leave("local", seconds=60)
    await asyncio.sleep(61)
    refused = await bench.refused("get_local_variables", sessionId=told["sessionId"])
    assert "its client had gone for 60 s" in refused["error"]
    assert bench.fake.closed


@lived
async def test_an_attached_program_of_a_client_that_went_is_released(bench, folder):
    script = written(folder)
    config = {"program": script}
    await bench.ok("create_debug_session", language="mock", port=4711, adapterConfig=config, stopOnEntry=False)
    fake = bench.fake
    bench.sessions.leave("local", seconds=60)
    await asyncio.sleep(61)
    assert [asked["terminateDebuggee"] for asked in fake.asked("disconnect")] == [False]


@lived
async def test_a_goodbye_shortens_the_lease_and_the_next_who_asks_is_told(bench, folder):
    told = await paused(bench, folder)
    bench.sessions.leave("local", goodbye=True)
    await asyncio.sleep(29)
    assert (await bench.ok("list_debug_sessions"))["count"] == 1
    await asyncio.sleep(2)
    unnamed = await bench.refused("evaluate_expression", expression="x")
    assert told["sessionId"] in unnamed["error"] and "goodbye" in unnamed["error"]
    listed = await bench.ok("list_debug_sessions")
    assert listed["count"] == 0 and "was ended" in listed["note"]


@lived
async def test_a_session_without_a_client_ends_when_no_call_names_it(bench, folder):
    script = written(folder)
    nobody = {"client": NAMELESS}
    told = await bench.ok(
        "start_debugging", **nobody, language="mock", scriptPath=script, breakpoints=[{"file": script, "line": 7}]
    )
    nobody["sessionId"] = told["sessionId"]
    for _ in range(3):
        await asyncio.sleep(599)
        assert (await bench.ok("get_local_variables", **nobody))["count"] == 4
    bench.sessions.leave(NAMELESS, seconds=1)
    await asyncio.sleep(599)
    assert (await bench.ok("get_local_variables", **nobody))["count"] == 4
    await asyncio.sleep(601)
    refused = await bench.refused("get_local_variables", **nobody)
    assert "no call had named it for 600 s" in refused["error"] and bench.fake.closed


@lived
async def test_the_trail_tells_each_call_and_each_stop_without_secrets(bench, folder):
    told = await paused(bench, folder)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    await bench.answer("evaluate_expression", expression=f"'{secret}'")
    await bench.answer("send_input", text="hunter2")
    await bench.refused("get_scopes", frameId=999)
    text = bench.sessions.audit_text(told["sessionId"])
    rows = [json.loads(line) for line in text.splitlines()]
    calls = [(row["tool"], row["outcome"]) for row in rows if "tool" in row]
    assert calls[:2] == [("start_debugging", "ok"), ("evaluate_expression", "ok")]
    assert calls[-1] == ("get_scopes", "stale")
    assert [row["stop"] for row in rows if "stop" in row] == ["breakpoint"]
    assert secret not in text and "hunter2" not in text and "<redacted" in text
    assert all(row["time"] for row in rows) and all(row["ms"] >= 0 for row in rows if "tool" in row)


@lived
async def test_the_trail_is_bounded(bench, folder):
    told = await paused(bench, folder)
    for _ in range(2100):
        await bench.answer("get_output")
    assert len(bench.sessions.audit_text(told["sessionId"]).splitlines()) == 2000


@lived
async def test_a_call_that_is_cut_off_stays_in_the_trail(bench, folder):
    script = written(folder, FOREVER)
    await bench.ok("start_debugging", language="mock", scriptPath=script)
    waiting = asyncio.create_task(bench.answer("wait_for_stop"))
    await asyncio.sleep(2)
    waiting.cancel()
    await asyncio.wait([waiting])
    (session,) = bench.sessions
    assert [row["outcome"] for row in session.audit if row.get("tool") == "wait_for_stop"] == ["cancelled"]
