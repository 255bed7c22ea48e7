"""What a stop is, and who is told of it."""

import asyncio
from unittest import mock

from fake_adapter import FOREVER, FakeAdapter, written
from lived import lived, paused, stop

from dapwright.core import redact


def _on(command, act):
    """Adapters that do something at a request."""

    def make():
        fake = FakeAdapter()
        fake.on[command] = lambda message: act(fake, message)
        return fake

    return make


@lived
async def test_a_stop_that_overtakes_the_answer_to_continue_is_kept(bench, folder):
    await paused(bench, folder)

    def hook(message):
        bench.fake.event("stopped", {"reason": "breakpoint", "threadId": 1, "allThreadsStopped": True})
        bench.fake.loop.call_later(1, bench.fake.answer, message, {})

    bench.fake.on["continue"] = hook
    told = await bench.ok("continue_execution", wait=True)
    assert told["state"] == "paused" and told["lastStop"]["reason"] == "breakpoint"


@lived
async def test_terminated_is_not_the_end(bench, folder):
    """The exit code and the last words may come after it, even after our goodbye."""
    await paused(bench, folder)

    def continued(message):
        bench.fake.answer(message, {})
        bench.fake.event("terminated")

    def goodbye(message):
        bench.fake.event("output", {"category": "stdout", "output": "last words"})
        bench.fake.event("exited", {"exitCode": 7})
        return True

    bench.fake.on |= {"continue": continued, "disconnect": goodbye}
    told = await bench.ok("continue_execution", wait=True)
    assert (told["state"], told["exitCode"], told["output"]) == ("stopped", 7, "last words")


@lived
async def test_an_end_without_an_exit_code_invents_none(bench, folder):
    await paused(bench, folder)
    bench.fake.on["continue"] = lambda message: (bench.fake.answer(message, {}), bench.fake.event("terminated"))[:0]
    told = await bench.ok("continue_execution", wait=True)
    assert told["state"] == "stopped" and "exitCode" not in told and "signal" not in told


@lived
async def test_a_debugger_that_dies_is_an_error_with_its_words(bench, folder):
    await paused(bench, folder)
    bench.fake.on["continue"] = lambda message: bench.fake.die()
    told = await bench.refused("continue_execution", wait=True)
    assert told["code"] == "protocol" and "closed the connection" in told["error"]
    (row,) = (await bench.ok("list_debug_sessions"))["sessions"]
    assert row["state"] == "error"


@lived
async def test_several_stops_at_once_are_told_in_order_and_none_is_lost(bench, folder):
    await paused(bench, folder)
    fake = bench.fake

    def continued(message):
        fake.answer(message, {})
        for thread in (1, 2, 3):
            fake.event("stopped", stop(thread, "exception"))

    fake.on["continue"] = continued
    first = await bench.ok("continue_execution", wait=True)
    assert first["state"] == "paused" and len(first["alsoPaused"]) == 2
    order = [first["lastStop"]["threadId"]]
    fake.on["continue"] = lambda message: True if fake.answer(message, {}) else None
    while len(order) < 3:
        told = await bench.ok("continue_execution", wait=True)
        order.append(told["lastStop"]["threadId"])
    assert len(set(order)) == 3 and order == sorted(order)
    resumed = [arguments["threadId"] for arguments in fake.asked("continue")]
    assert resumed == [1, 1, 2]


@lived
async def test_one_who_was_not_told_of_another_stop_of_the_process_is_not_run_past_it(bench, folder):
    """All threads stand: going on would lose the stop that nobody was told."""
    await paused(bench, folder)
    fake = bench.fake

    def continued(message):
        fake.answer(message, {})
        for thread in (1, 2):
            fake.event("stopped", stop(thread, "exception", allThreadsStopped=True))

    fake.on["continue"] = continued
    first = await bench.ok("continue_execution", wait=True)
    second = await bench.ok("continue_execution", wait=True)
    assert first["lastStop"]["threadId"] != second["lastStop"]["threadId"]
    assert len(fake.asked("continue")) == 1, "the engine was not asked: the other stop was told instead"


@lived
async def test_a_stop_before_the_wait_is_answered_at_once_to_every_waiter(bench, folder):
    await paused(bench, folder)
    await bench.ok("continue_execution")
    began = asyncio.get_running_loop().time()
    told = await asyncio.gather(*(bench.ok("wait_for_stop") for _ in range(5)))
    assert {one["state"] for one in told} == {"paused"}
    assert asyncio.get_running_loop().time() - began < 1


@lived
async def test_a_wait_that_passes_is_an_answer_that_names_what_is_armed(bench, folder):
    script = written(folder, FOREVER)
    told = await bench.ok(
        "start_debugging",
        language="mock",
        scriptPath=script,
        breakpoints=[{"file": script, "line": 1, "condition": "0"}],
    )
    assert told["state"] == "running" and told["pending"]
    began = asyncio.get_running_loop().time()
    told = await bench.ok("wait_for_stop", timeout=20_000)
    assert told["pending"] and "b1 shop.mock:1" in told["message"]
    assert 19.9 < asyncio.get_running_loop().time() - began < 20.5


@lived
async def test_a_continued_event_of_somebody_else_means_running(bench, folder):
    await paused(bench, folder)
    bench.fake.event("continued", {"threadId": 1})
    await asyncio.sleep(0.1)
    assert (await bench.refused("get_local_variables"))["code"] == "wrong-state"


@lived
async def test_an_engine_that_resumes_in_order_to_evaluate_leaves_the_stop_alone(bench, folder):
    await paused(bench, folder)

    def evaluated(message):
        bench.fake.event("continued", {"threadId": 1})
        bench.fake.event("stopped", {"reason": "breakpoint", "threadId": 1, "allThreadsStopped": True})
        return True

    bench.fake.on["evaluate"] = evaluated
    assert (await bench.ok("evaluate_expression", expression="total"))["result"] == "0"
    (session,) = bench.sessions
    assert session.state == "paused" and len(session.stops) == 1
    assert (await bench.ok("step_over"))["lastStop"]["reason"] == "step"


@lived
async def test_handles_of_an_earlier_stop_are_refused_as_stale(bench, folder):
    await paused(bench, folder)
    old = (await bench.ok("get_stack_trace"))["stackFrames"][0]["id"]
    reference = (await bench.ok("get_scopes"))["scopes"][0]["variablesReference"]
    await bench.ok("step_over")
    assert (await bench.refused("get_scopes", frameId=old))["code"] == "stale"
    assert (await bench.refused("evaluate_expression", expression="total", frameId=old))["code"] == "stale"
    assert (await bench.refused("get_variables", scope=reference))["code"] == "stale"


@lived
async def test_a_pause_that_no_thread_takes_is_pending(bench, folder):
    await bench.ok("start_debugging", language="mock", scriptPath=written(folder, FOREVER))
    bench.fake.on["pause"] = bench.fake.answer
    told = await bench.ok("pause_execution")
    assert told["state"] == "running" and told["pending"] and "pause is asked for" in told["message"]


@lived
async def test_a_refused_step_leaves_the_stop_as_it_was(bench, folder):
    await paused(bench, folder)
    bench.fake.on["next"] = lambda message: bench.fake.answer(message, failure="cannot step in a signal handler")
    told = await bench.refused("step_over")
    assert told["error"] == "cannot step in a signal handler"
    assert (await bench.ok("get_local_variables"))["count"] == 4


@lived
async def test_of_very_many_locals_only_those_are_judged_that_fit_and_all_are_counted(bench, folder):
    """The changed ones come first, wherever they stand; what is left out is counted from all of them."""
    await paused(bench, folder)
    held = [{"name": f"v{n}", "value": "x" * 50, "variablesReference": 0} for n in range(20_000)]
    bench.fake.on["variables"] = lambda message: bench.fake.answer(message, {"variables": held})
    with mock.patch.object(redact, "value", wraps=redact.value) as judged:
        brief = await bench.ok("wait_for_stop")
        page = await bench.ok("get_local_variables")
    assert judged.call_count < 2_000
    assert len(brief["locals"]) + brief["truncation"]["omittedCount"] == 20_000
    assert page["count"] == 300 and page["truncation"]["omittedCount"] == 19_700
    full = await bench.ok("wait_for_stop", detail="full")
    assert len(full["locals"]) >= 1_000
    assert len(full["locals"]) + full["truncation"]["omittedCount"] == 20_000
    named = await bench.ok("get_local_variables", names=["v19999"])
    assert named["variables"][0]["name"] == "v19999" and "truncation" not in named

    def moved(message):
        held[15_000] = {**held[15_000], "value": "new"}
        bench.fake.answer(message, {})
        bench.fake.event("stopped", stop(1, "step", allThreadsStopped=True))

    bench.fake.on["next"] = moved
    stepped = await bench.ok("step_over")
    assert stepped["locals"][0] == {"name": "v15000", "value": "new", "changed": True}
    assert len(stepped["locals"]) + stepped["truncation"]["omittedCount"] == 20_000
