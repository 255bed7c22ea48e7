"""Breakpoints, exceptions, watched fields and steps, for real."""

import pytest
from jvm_programs import counted_jvm, paused

pytestmark = pytest.mark.live


async def run(client, tour, *args, **more):
    return await client.begin(mainClass="tour.Tour", classpath=[tour.classes], args=list(args), **more)


async def go_on(client, stop):
    await client.ask("continue", threadId=stop["threadId"])


@pytest.mark.parametrize(
    ("args", "text", "function"),
    [
        ((), "// constructor", "Tour.Account.<init>"),
        ((), "// static initialiser", "Tour.<clinit>"),
        (("values",), "// anonymous", "Tour$1.area"),
        (("threads",), "// worker", "Tour.lambda$threads$0"),
        (("guarded", "x"), "// handler", "Tour.guarded"),
    ],
)
async def test_a_line_is_found_in_every_kind_of_code(client, tour, args, text, function):
    await run(client, tour, *args, breakpoints=tour.at(text))
    stop = await client.stopped()
    assert (stop["reason"], stop["frame"]["line"]) == ("breakpoint", tour.line(text))
    name = stop["frame"]["name"]
    assert name == function or name.startswith("Tour.lambda$threads$"), name


async def test_a_class_name_stands_for_its_file(client, tour):
    line = tour.line("// deposit")
    await run(client, tour, breakpoints={"tour.Tour$Account": [{"line": line}]})
    told = await client.event("breakpoint")
    assert told["breakpoint"]["verified"] and told["breakpoint"]["line"] == line
    assert (await client.stopped())["frame"]["line"] == line


async def test_a_finally_block_stops_on_every_way_through_it(client, tour):
    await run(client, tour, "guarded", "x", breakpoints=tour.at("// finally"))
    stop = await client.stopped()
    assert (await client.locals(stop["frame"]["id"]))["state"] == '"caught"'
    await go_on(client, stop)
    await client.ended_with()


async def test_a_for_line_stops_once_and_its_body_each_time(client, tour):
    await run(client, tour, "loop", "3", breakpoints=tour.at("for (int i = 0; i < times"))
    await go_on(client, await client.stopped())
    await client.ended_with()


async def test_a_line_without_code_moves_to_the_next_of_its_method(client, tour):
    told = await run(client, tour, "loop", "3", breakpoints={tour.source: [{"line": tour.line("static int loop(")}]})
    assert told[tour.source][0]["verified"] is False
    stop = await client.stopped()
    assert stop["frame"]["line"] == tour.line("static int loop(") + 1


async def test_a_line_behind_the_end_is_told_as_without_code(client, tour):
    await run(client, tour, breakpoints={tour.source: [{"line": 5000}, {"line": tour.line("// string")}]})
    await client.stopped()
    again = await client.ask("setBreakpoints", source={"path": tour.source}, breakpoints=[{"line": 5000}])
    assert again["breakpoints"][0]["verified"] is False and "no c" in again["breakpoints"][0]["message"]


@pytest.mark.parametrize(
    ("hit", "seen"),
    [
        ("3", [2]),
        ("==2", [1]),
        (">3", [3, 4, 5]),
        (">=4", [3, 4, 5]),
        ("<3", [0, 1]),
        ("<=2", [0, 1]),
        ("%2", [1, 3, 5]),
    ],
)
async def test_hit_conditions_count_from_one(client, tour, hit, seen):
    await run(client, tour, "loop", "6", breakpoints=tour.at("// loop body", hitCondition=hit))
    found = []
    while (event := await client.event("stopped", "exited"))["event"] == "stopped":
        frames = await client.ask("stackTrace", threadId=event["threadId"])
        found.append(int(await client.evaluate("i", frames["stackFrames"][0]["id"])))
        await go_on(client, event)
    assert found == seen


async def test_a_condition_chooses_and_one_that_fails_is_told_and_does_not_stop(client, tour):
    line = tour.line("// loop body")
    wanted = [{"line": line, "condition": "i == 4 && total > 3"}, {"line": line, "condition": "missing > 1"}]
    await run(client, tour, "loop", "6", breakpoints={tour.source: wanted})
    stop = await client.stopped()
    assert await client.evaluate("i", stop["frame"]["id"]) == "4"
    failed = await client.event("breakpoint", where=lambda body: "failed" in body["breakpoint"].get("message", ""))
    assert "missing" in failed["breakpoint"]["message"]


async def test_what_cannot_be_parsed_is_refused_when_set(client, tour):
    line = tour.line("// loop body")
    wanted = [
        {"line": line, "condition": "i =="},
        {"line": line, "hitCondition": "often"},
        {"line": line, "logMessage": "{i"},
        {"line": line, "suspendPolicy": "some"},
    ]
    told = await run(client, tour, "loop", "2", breakpoints={tour.source: wanted})
    assert [one["verified"] for one in told[tour.source]] == [False] * 4
    assert all(one["message"] for one in told[tour.source])
    await client.ended_with()


async def test_a_logpoint_prints_and_does_not_stop(client, tour):
    message = "i={i} {{raw}} {total + 1} {nope}"
    await run(client, tour, "loop", "2", breakpoints=tour.at("// loop body", logMessage=message))
    await client.ended_with()
    lines = client.output("console").splitlines()
    assert [line.partition(" {`nope")[0] for line in lines] == ["i=0 {raw} 1", "i=1 {raw} 1"]
    assert "nope" in lines[0]


@pytest.mark.parametrize("name", ["deposit", "Account.deposit", "Tour.Account.deposit", "tour.Tour$Account.deposit"])
async def test_a_function_stops_in_every_overload(client, tour, name):
    await run(client, tour, functions=[{"name": name}])
    stop = await client.stopped()
    assert stop["reason"] == "function breakpoint" and stop["frame"]["name"] == "Tour.Account.deposit"
    seen = [(await client.locals(stop["frame"]["id"]))["amount"]]
    for _ in range(2):
        await go_on(client, stop)
        stop = await client.stopped()
        seen.append((await client.locals(stop["frame"]["id"]))["amount"])
    assert seen == ["100", '"20"', "20"]


async def test_constructors_are_functions_too(client, tour):
    await run(client, tour, functions=[{"name": "Account.<init>"}])
    assert (await client.stopped())["frame"]["name"] == "Tour.Account.<init>"


async def test_a_bare_name_leaves_the_platform_alone_and_a_full_one_reaches_it(client, tour):
    await run(client, tour, "values", functions=[{"name": "length"}, {"name": "java.util.LinkedHashMap.<init>"}])
    stop = await client.stopped()
    assert stop["frame"]["name"] == "LinkedHashMap.<init>"


async def test_an_uncaught_exception_stops_where_it_is_thrown_with_its_helpful_message(client, tour):
    await run(client, tour, "crash")
    stop = await client.stopped()
    assert stop["reason"] == "exception" and stop["frame"]["line"] == tour.line("// crash")
    info = await client.ask("exceptionInfo", threadId=stop["threadId"])
    assert info["exceptionId"] == "java.lang.NullPointerException" and info["breakMode"] == "unhandled"
    assert "none" in info["details"]["message"]


async def test_a_caught_exception_stops_only_when_asked_and_tells_its_causes(client, tour):
    await run(client, tour, "guarded", "x", filters=["caught", "uncaught"])
    stop = await client.stopped()
    info = await client.ask("exceptionInfo", threadId=stop["threadId"])
    assert (info["exceptionId"], info["description"]) == ("java.lang.IllegalStateException", "planned")
    assert info["details"]["innerException"][0]["message"] == "root"
    await go_on(client, stop)
    await client.ended_with()


async def test_exceptions_are_chosen_by_class_before_they_are_loaded(client, tour):
    await client.initialize()
    client.send("launch", mainClass="tour.Tour", classpath=[tour.classes], args=["guarded", "x"])
    await client.event("initialized")
    option = {"filterId": "caught", "condition": "java.io.IOException, java.lang.IllegalStateException"}
    await client.ask("setExceptionBreakpoints", filters=[], filterOptions=[option])
    await client.ask("configurationDone")
    stop = await client.stopped()
    assert stop["text"] == "java.lang.IllegalStateException"
    await go_on(client, stop)
    await client.ended_with()


async def test_a_watched_field_tells_old_and_new_after_the_write(client, tour):
    await run(client, tour, breakpoints=tour.at("// string"))
    stop = await client.stopped()
    info = await client.ask("dataBreakpointInfo", name="account.cents", frameId=stop["frame"]["id"])
    assert info["accessTypes"] == ["read", "write", "readWrite"]
    told = await client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}])
    assert told["breakpoints"][0]["verified"]
    await go_on(client, stop)
    stop = await client.stopped()
    assert (stop["reason"], stop["oldValue"], stop["newValue"]) == ("data breakpoint", "100", "120")
    assert stop["expression"] == "account.cents"
    assert await client.evaluate("this.cents", stop["frame"]["id"]) == "120"
    await go_on(client, stop)
    await client.ended_with()


async def test_reads_and_statics_can_be_watched_and_locals_cannot(client, tour):
    await run(client, tour, "guarded", breakpoints=tour.at('state = "used"'))
    stop = await client.stopped()
    frame = stop["frame"]["id"]
    local = await client.ask("dataBreakpointInfo", name="state", frameId=frame)
    assert local["dataId"] is None and "locals" in local["description"]
    info = await client.ask("dataBreakpointInfo", name="counter", frameId=frame)
    await client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "read"}])
    await go_on(client, stop)
    stop = await client.stopped()
    assert stop["access"] == "read" and stop["oldValue"] == "0"


async def test_steps_go_over_in_and_out_and_tell_what_was_returned(client, tour):
    await run(client, tour, breakpoints=tour.at("// string"))
    stop = await client.stopped()
    await client.ask("stepIn", threadId=stop["threadId"])
    stop = await client.stopped()
    assert (stop["reason"], stop["frame"]["line"]) == ("step", tour.line("// overload"))
    await client.ask("stepIn", threadId=stop["threadId"])
    stop = await client.stopped()
    assert stop["frame"]["line"] == tour.line("// deposit"), "the platform's own code is passed through"
    await client.ask("next", threadId=stop["threadId"])
    assert (await client.stopped())["frame"]["line"] == tour.line("return cents;")
    await client.ask("stepOut", threadId=stop["threadId"])
    stop = await client.stopped()
    assert stop["returnValue"] == {"value": "120", "type": "long"}
    await client.ask("stepOut", threadId=stop["threadId"])
    stop = await client.stopped()
    assert stop["frame"]["name"] == "Tour.main"


async def test_a_step_out_of_recursion_tells_its_own_frames_value(client, tour):
    async with paused(tour, "// bottom", "recurse") as (engine, stop):
        await engine.ask("stepOut", threadId=stop["threadId"])
        stop = await engine.stopped()
        assert stop["returnValue"]["value"] == "5" and stop["frame"]["line"] == tour.line("// deeper")


@pytest.mark.parametrize("step", ["stepOut", "next"])
async def test_a_step_from_a_lambda_passes_through_the_object_that_calls_it(client, tour, step):
    await run(client, tour, "lambdas", breakpoints=tour.at("// lambda"))
    await go_on(client, await client.stopped())  # the line that makes it
    await client.ask(step, threadId=(await client.stopped())["threadId"])
    stop = await client.stopped()
    assert (stop["frame"]["name"], stop["frame"]["line"]) == ("Tour.lambdas", tour.line("add.applyAsInt(5)"))


async def test_a_breakpoint_wins_over_the_step_that_lands_on_it(client, tour):
    lines = [tour.line("int total = 0;"), tour.line("for (int i = 0; i < times")]
    await run(client, tour, "loop", "2", breakpoints={tour.source: [{"line": line} for line in lines]})
    stop = await client.stopped()
    await client.ask("next", threadId=stop["threadId"])
    stop = await client.stopped()
    assert stop["reason"] == "breakpoint" and len(stop["hitBreakpointIds"]) == 1


async def test_a_thread_can_stop_alone_while_others_run(client, tour):
    await run(client, tour, "threads", breakpoints=tour.at("// worker", suspendPolicy="thread"))
    stop = await client.stopped()
    assert stop["allThreadsStopped"] is False
    threads = (await client.ask("threads"))["threads"]
    states = {one["name"]: one.get("suspended", False) for one in threads}
    assert states["worker"] is True and states["main"] is False
    await client.ask("next", threadId=stop["threadId"])
    stop = await client.stopped()
    assert stop["allThreadsStopped"] is False and stop["reason"] == "step"
    await go_on(client, stop)
    await client.ended_with()


async def test_pause_is_told_once_and_names_a_state_for_each_thread(client, tour):
    await run(client, tour, "sleep")
    await client.event("output", where=lambda body: "sleeping" in body["output"])
    await client.ask("pause")
    stop = await client.stopped()
    assert stop["reason"] == "pause" and stop["allThreadsStopped"]
    threads = (await client.ask("threads"))["threads"]
    assert {one["name"]: one["state"] for one in threads}["main"] in ("sleeping", "running")
    await client.ask("pause")
    await go_on(client, stop)
    await client.ask("pause")
    await client.stopped()


async def test_a_hit_of_a_false_condition_costs_three_commands(client, tour):
    """Counted on the wire: the time that a hit takes is the machine's."""
    async with counted_jvm(tour, "loop", "101") as (port, commands):
        condition = {"condition": "i % 100 == 0"}
        await client.begin("attach", port=port, breakpoints=tour.at("// loop body", **condition))
        stop = await client.stopped()
        before = len(commands)
        await go_on(client, stop)
        stop = await client.stopped()
        assert await client.evaluate("i", stop["frame"]["id"]) == "100"
        assert len(commands) - before < 100 * 3 + 30
        await client.ask("disconnect")


async def test_locations_are_told_once_the_class_is_loaded(client, tour):
    await run(client, tour, "loop", "2", breakpoints=tour.at("// loop body"))
    await client.stopped()
    line = tour.line("static int loop(")
    told = await client.ask("breakpointLocations", source={"path": tour.source}, line=line, endLine=line + 3)
    assert [one["line"] for one in told["breakpoints"]] == [line + 1, line + 2, line + 3]
