"""The names that agents know from DebugMCP, with that server's arguments, asked of the real engine."""

from dapwright.policy.settings import Settings
from dapwright.tools import listed
from live.driver import driver, line_of

SOURCE = """LIMIT = 5


def double(number):
    result = number * 2
    return result


print(double(2), double(3))
"""
NAMES = (
    *("add_breakpoint", "add_logpoint", "clear_all_breakpoints", "stop_debugging"),
    *("get_variables_values", "list_variable_names"),
)


async def test_a_session_is_debugged_by_the_names_of_debugmcp(tmp_path):
    script = tmp_path / "twice.py"
    script.write_text(SOURCE)
    place = {"fileFullPath": str(script), "line": line_of(script, "return result")}
    async with driver() as made:
        first = await made.ok("add_breakpoint", **place, condition="number == 3")
        assert first["content"] == "return result"
        await made.ok("add_logpoint", **place, logMessage="result is {result}")
        stop = await made.ok("start_debugging", scriptPath=str(script), wait=30)
        assert stop["stopReason"] == "breakpoint" and stop["sessionId"] == first["sessionId"]
        assert "result is 4" in await made.printed()
        named = await made.ok("list_variable_names", scope="local")
        assert [one["name"] for one in named["variables"]] == ["number", "result"]
        assert all("value" not in one for one in named["variables"])
        told = await made.ok("get_variables_values", variableNames=["result", "LIMIT", "nope"])
        assert {one["name"]: one["value"] for one in told["variables"]} == {"result": "6", "LIMIT": "5"}
        assert told["notFound"] == ["nope"]
        here = await made.ok("get_variables_values", scope="local")
        assert {one["name"]: one["value"] for one in here["variables"]} == {"number": "3", "result": "6"}
        assert (await made.ok("evaluate_expression", expression="result + LIMIT"))["result"] == "11"
        assert (await made.ok("clear_all_breakpoints"))["cleared"] == 2
        assert (await made.ok("stop_debugging"))["state"] == "closed"


def test_none_of_them_is_listed():
    told = {one["name"] for one in listed(Settings(toolset="all"))}
    assert not told & set(NAMES)


async def test_values_are_still_shown_by_name_only_where_that_is_the_policy(tmp_path):
    script = tmp_path / "twice.py"
    script.write_text(SOURCE)
    async with driver(variables="explicit") as made:
        await made.ok(
            "start_debugging",
            scriptPath=str(script),
            breakpoints=[{"file": str(script), "statement": "return result"}],
            wait=30,
        )
        assert "by name only" in await made.refused("get_variables_values")
        told = await made.ok("get_variables_values", variableNames=["result"])
        assert [one["value"] for one in told["variables"]] == ["4"]


async def test_every_tool_that_stops_takes_a_detail(tmp_path):
    script = tmp_path / "twice.py"
    script.write_text(SOURCE)
    async with driver() as made:
        places = [{"file": str(script), "statement": "result = number * 2"}]
        await made.ok("start_debugging", scriptPath=str(script), breakpoints=places, wait=30)
        for tool, more in (
            ("wait_for_stop", {}),
            ("pause_execution", {}),
            ("step_over", {}),
            ("continue_execution", {"wait": 20}),
            ("restart_debugging", {"wait": 30}),
        ):
            told = await made.ok(tool, detail="none", **more)
            assert told["state"] == "paused" and "source" not in told and "stack" not in told, tool
        assert "one of `brief`" in await made.refused("step_over", detail="much")


async def test_a_trigger_with_an_unknown_key_is_refused_with_the_nearest(tmp_path):
    script = tmp_path / "twice.py"
    script.write_text(SOURCE)
    async with driver() as made:
        await made.ok("start_debugging", scriptPath=str(script), stopOnEntry=True, wait=30)
        said = await made.refused("wait_for_stop", trigger={"http": "http://127.0.0.1:9/", "metod": "POST"})
        assert "`trigger.metod`" in said and "`method`" in said
