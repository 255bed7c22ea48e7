"""The orders in which adapters begin."""

from fake_adapter import FakeAdapter, written
from lived import lived, paused


def _adapter(step="", deed="", *, when="launch"):
    fake = FakeAdapter(step, deed)
    fake.initialized_when = when
    return fake


@lived
async def test_initialized_may_come_with_the_launch(bench, folder):
    assert (await paused(bench, folder))["state"] == "paused"
    order = [message.command for message in bench.fake.heard]
    assert order[:2] == ["initialize", "launch"] and order.index("setBreakpoints") < order.index("configurationDone")


@lived
async def test_initialized_may_come_before_the_launch(bench, folder):
    bench.make = lambda: _adapter(when="initialize")
    assert (await paused(bench, folder))["state"] == "paused"


@lived
async def test_initialized_may_come_twice(bench, folder):
    bench.make = lambda: _adapter("launch", "initialized-again", when="initialize")
    assert (await paused(bench, folder))["state"] == "paused"
    assert len(bench.fake.asked("configurationDone")) == 1


@lived
async def test_an_adapter_that_is_never_ready_is_an_error_in_bounded_time(bench, folder):
    bench.make = lambda: _adapter(when="never")
    script = written(folder)
    told = await bench.ok("start_debugging", language="mock", scriptPath=script)
    assert told["state"] == "starting" and told["pending"]
    bench.sessions.get(told["sessionId"], client="local")
    (session,) = bench.sessions
    assert await session.until(lambda: session.state == "error", 700)
    assert "not ready" in str(session.error)


@lived
async def test_a_refused_launch_is_told_in_the_adapters_words(bench, folder):
    def make():
        fake = _adapter(when="never")
        fake.on["launch"] = lambda message: fake.answer(message, failure="the engine says no")
        return fake

    bench.make = make
    told = await bench.refused("start_debugging", language="mock", scriptPath=written(folder))
    assert told["code"] == "adapter" and told["error"] == "the engine says no"


@lived
async def test_a_launch_refused_after_the_configuration_is_told_too(bench, folder):
    def make():
        fake = FakeAdapter()
        fake.on["configurationDone"] = lambda message: (
            fake.answer(message),
            fake.answer(fake._launch, failure="bad magic"),
        )[:0]
        return fake

    bench.make = make
    told = await bench.refused("start_debugging", language="mock", scriptPath=written(folder))
    assert told["code"] == "adapter" and told["error"] == "bad magic"


@lived
async def test_a_stop_before_the_answer_to_the_launch_is_kept(bench, folder):
    bench.make = lambda: _adapter("launch", "answers-late")
    assert (await paused(bench, folder))["state"] == "paused"
    assert (await bench.ok("list_threads"))["count"] == 1


@lived
async def test_what_an_adapter_does_not_advertise_is_never_sent(bench, folder):
    off = {
        "supportsConfigurationDoneRequest": False,
        "supportsFunctionBreakpoints": False,
        "exceptionBreakpointFilters": [],
        "supportsExceptionInfoRequest": False,
    }

    def make():
        fake = FakeAdapter(capabilities=off)
        fake.on["setBreakpoints"] = lambda message: (
            fake.loop.call_soon(lambda: fake._on_configurationDone(message, {})) and True
        )
        return fake

    bench.make = make
    script = written(folder)
    await bench.ok("create_debug_session", language="mock")
    await bench.ok("set_breakpoint", file=script, statement="n = n + 1")
    await bench.ok("set_breakpoint", function="add")
    await bench.answer("start_debugging", scriptPath=script)
    heard = {message.command for message in bench.fake.heard}
    assert not heard & {
        "configurationDone",
        "setFunctionBreakpoints",
        "setExceptionBreakpoints",
        "setDataBreakpoints",
        "exceptionInfo",
    }
