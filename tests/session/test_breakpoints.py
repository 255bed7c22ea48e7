"""Breakpoints that an engine keeps, and those that we keep for it."""

import asyncio

import pytest
from fake_adapter import FakeAdapter, written
from lived import lived, paused

BARE = {
    "supportsConditionalBreakpoints": False,
    "supportsHitConditionalBreakpoints": False,
    "supportsLogPoints": False,
}


@lived
async def test_a_file_is_always_sent_whole(bench, folder):
    told = await paused(bench, folder)
    script = written(folder)
    await bench.ok("set_breakpoint", file=script, statement="n = n + 1")
    await bench.ok("remove_breakpoint", breakpointId=told["breakpoints"][0]["breakpointId"])
    lines = [[b["line"] for b in asked["breakpoints"]] for asked in bench.fake.asked("setBreakpoints")]
    assert lines == [[7], [7, 8], [8]]


@lived
async def test_an_event_about_a_breakpoint_is_merged(bench, folder):
    await paused(bench, folder)
    script = written(folder)
    bench.fake.on["setBreakpoints"] = lambda message: bench.fake.answer(
        message, {"breakpoints": [{"id": 70, "verified": False}, {"id": 71, "verified": False, "message": "pending"}]}
    )
    set_ = await bench.ok("set_breakpoint", file=script, statement="print done")
    assert set_["verified"] is False
    bench.fake.event(
        "breakpoint", {"reason": "changed", "breakpoint": {"id": 71, "verified": True, "line": set_["line"]}}
    )
    await asyncio.sleep(0.1)
    rows = {row["breakpointId"]: row for row in (await bench.ok("list_breakpoints"))["breakpoints"]}
    assert rows[set_["breakpointId"]]["verified"] is True


@pytest.mark.parametrize("capabilities", [{}, BARE], ids=["the engine counts", "we count"])
def test_conditions_and_counts_mean_the_same_whoever_keeps_them(monkeypatch, tmp_path, capabilities):
    @lived
    async def story(bench, folder):
        bench.make = lambda: FakeAdapter(capabilities=capabilities)
        told = await paused(bench, folder, condition="amount < 10", hitCondition=">=2")
        assert told["state"] == "paused"
        values = {row["name"]: row["value"] for row in told["locals"]}
        assert (values["amount"], values["n"]) == ("7", "2")
        end = await bench.ok("continue_execution", wait=True)
        assert end["state"] == "stopped" and end["exitCode"] == 0

    story(monkeypatch, tmp_path)


@pytest.mark.parametrize("capabilities", [{}, BARE], ids=["the engine logs", "we log"])
def test_a_logpoint_logs_and_never_stops(monkeypatch, tmp_path, capabilities):
    @lived
    async def story(bench, folder):
        bench.make = lambda: FakeAdapter(capabilities=capabilities)
        told = await paused(bench, folder, logMessage="amount is {amount}")
        if told["state"] == "running":
            told = await bench.ok("wait_for_stop")
        assert told["state"] == "stopped"
        entries = (await bench.ok("get_output"))["entries"]
        text = "".join(entry["output"] for entry in entries)
        assert [f"amount is {n}" in text for n in (30, 5, 7)] == [True] * 3

    story(monkeypatch, tmp_path)


@lived
async def test_a_condition_of_ours_that_fails_is_told_and_does_not_stop(bench, folder):
    bench.make = lambda: FakeAdapter(capabilities=BARE)
    told = await paused(bench, folder, condition="nosuch > 1")
    assert told["state"] == "stopped" and "nosuch" in told["warning"]
    assert "nosuch" in told["unhitBreakpoints"][0]["reason"]


@lived
async def test_a_hit_proves_that_a_breakpoint_is_bound(bench, folder):
    def make():
        fake = FakeAdapter()
        fake.on["setBreakpoints"] = lambda message: (
            fake._on_setBreakpoints(message, message.arguments),
            fake.answer(message, {"breakpoints": [{"id": 1, "verified": False}]}),
        )[:0]
        return fake

    bench.make = make
    assert (await paused(bench, folder))["state"] == "paused"
    (row,) = (await bench.ok("list_breakpoints"))["breakpoints"]
    assert row["verified"] is True and row["hits"] == 1


@lived
async def test_what_was_never_hit_is_named_with_the_reason(bench, folder):
    script = written(folder)
    places = [{"file": script, "statement": "print done", "condition": "total == 1"}, {"function": "nosuch"}]
    told = await bench.ok("start_debugging", language="mock", scriptPath=script, breakpoints=places)
    reasons = [row["reason"] for row in told["unhitBreakpoints"]]
    assert told["state"] == "stopped" and len(reasons) == 2
    assert "never true" in reasons[0] and "nosuch" in reasons[1]
