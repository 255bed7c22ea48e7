"""Values of a Go program: calls, assignments, long strings, in Delve's terms."""

import pytest

from live.driver import line_of
from live.gophers import started

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]
SHADOWED = "fmt.Println(x, Total) // shadowed"


@pytest.fixture
def values(program):
    return program("go/values")


async def test_functions_are_called_as_they_are_written(values):
    async with started(values, SHADOWED) as (go, _):
        for written, result in (
            ("add(2, 3)", "5"),
            ("add(add(1, 2), 3) + 1", "7"),
            ("any.area()", "6"),
            ('strings.ToUpper("a")', '"A"'),
        ):
            assert await go.value(written) == result
        two = await go.value("divide(1, 0)")
        assert two.startswith("0, error") and "division by zero" in two
        assert (await go.ok("evaluate_expression", expression="add(2, 3)"))["type"] == "int"
        assert "not enough arguments" in await go.refused("evaluate_expression", expression="add(1)")
        assert "panicked" in await go.refused("evaluate_expression", expression="boom(1)")
        assert "could not find symbol" in await go.refused("evaluate_expression", expression="nosuch(1)")
        told = await go.refused("evaluate_expression", expression="add(2, 3)", allowSideEffects=False)
        assert "may change the program" in told
        told = await go.refused("evaluate_expression", expression="Total = 1", allowSideEffects=False)
        assert "may change" in told and await go.value("Total") == "10"
        await go.ok("evaluate_expression", expression="held.grow(2)")
        assert await go.value("held.x") == "6"


async def test_every_kind_of_variable_is_set_and_read_back(values):
    async with started(values, SHADOWED) as (go, _):
        for name, value, now in (
            ("Total", "77", "77"),
            ("label", '"new"', '"new"'),
            ("numbers[1]", "9", "9"),
            ("numbers", "numbers[:2]", "[]int len: 2, cap: 3, [1,9]"),
            ("held.x", "8", "8"),
            ("named.Tags[1]", '"q"', '"q"'),
            ("named.at.y", "3", "3"),
            ("x", '"w"', '"w"'),
            ("ages", "nil", "map[string]int nil"),
            ("text", '"short"', '"short"'),
        ):
            told = await go.ok("set_variable", name=name, value=value)
            assert told["value"] == now and await go.value(name) == now
        assert "convert" in await go.refused("set_variable", name="Total", value='"text"')
        assert (await go.ok("evaluate_expression", expression="Total = 12"))["result"] == "12"
        assert await go.value("main.Total") == "12"


async def test_shadowed_names_and_containers_are_told_apart(values):
    async with started(values, SHADOWED) as (go, _):
        seen = await go.locals()
        assert seen["x"] == '"inner"' and seen["(x)"] == "1"
        assert seen["queue"] == "chan int 1/3" and seen["none"] == "error nil"
        assert seen["any"].startswith("main.shape(main.point)") and '"ann": 3' in seen["ages"]


async def test_a_long_string_is_whole_where_it_is_asked_for(values):
    async with started(values, SHADOWED) as (go, _):
        assert "+2488 more" in (await go.locals())["text"]
        assert await go.value("text") == '"' + "ab" * 1500 + '"'
        named = await go.ok("get_local_variables", names=["text"])
        assert named["variables"][0]["value"] == '"' + "ab" * 1500 + '"'
        assert "more" in (await go.locals())["text"], "the next look is short again"
        long = await go.ok("evaluate_expression", expression="named.text")
        assert len(long["result"]) > 100_000 and "200002 characters; evaluate a slice" in long["truncation"]["notice"]
        reference = {one["name"]: one for one in (await go.ok("get_local_variables"))["variables"]}["named"]
        (inner,) = (await go.ok("get_variables", scope=reference["variablesReference"]))["variables"]
        told = await go.ok("get_variables", scope=inner["variablesReference"], names=["text"])
        assert "`text` has 200002 characters" in told["truncation"]["notice"]
        assert await go.value("named.text[150000:150003]") == '"ccc"'


async def test_pages_of_long_containers_are_those_that_were_asked_for(values):
    async with started(values, "return len(part) + len(wide) + whole[1] // filled") as (go, stop):
        held = {one["name"]: one["variablesReference"] for one in stop["locals"] if "variablesReference" in one}
        for name, last in (("squares", 699), ("part", 599)):
            page = await go.ok("get_variables", scope=held[name], start=last - 2, count=9)
            assert [one["name"] for one in page["variables"]] == [f"[{last - 2}]", f"[{last - 1}]", f"[{last}]"]
            assert page["variables"][-1]["value"] == "488601" and page["total"] == last + 1
            whole = await go.ok("get_variables", scope=held[name])
            assert whole["count"] == 300 and whole["truncation"]["omittedCount"] == last + 1 - 300
            assert (await go.ok("get_variables", scope=held[name], start=last + 1, count=5))["count"] == 0
        keys: set[str] = set()
        for start in range(0, 700, 300):
            page = await go.ok("get_variables", scope=held["wide"], start=start, count=300)
            keys |= {one["name"] for one in page["variables"]}
        assert len(keys) == 700 and page["total"] == 700
        named = await go.ok("get_variables", scope=held["wide"], filter="named")
        assert [one["name"] for one in named["variables"]] == ["len()"] and "truncation" not in named
        (pointed,) = (await go.ok("get_variables", scope=held["whole"]))["variables"]
        assert (
            pointed["name"] == "*"
            and (await go.ok("get_variables", scope=held["whole"], filter="indexed"))["count"] == 0
        )
        await go.ok("set_variable", variablesReference=pointed["variablesReference"], name="[650]", value="7")
        assert await go.value("squares[650]") == "7"


async def test_a_breakpoint_in_a_called_function_is_where_the_program_stands_then(values):
    async with started(values, SHADOWED) as (go, _):
        main = values / "main.go"
        await go.ok("set_breakpoint", file=str(main), statement="return a / b, nil")
        told = await go.refused("evaluate_expression", expression="divide(9, 3)")
        assert "stands there now" in told
        stop = await go.ok("wait_for_stop", timeout=20_000)
        assert stop["location"]["line"] == line_of(main, "return a / b, nil") and await go.value("a") == "9"
        again = await go.ok("continue_execution", wait=20)
        assert again["state"] == "paused"


async def test_streams_are_apart_and_the_exit_code_is_known(values):
    async with started(values) as (go, stop):
        assert stop["state"] == "stopped" and stop["exitCode"] == 3
        assert await go.printed("stderr") == "to stderr\n" and "to stderr" not in await go.printed("stdout")
