"""What the contract says of looking at a paused Python program, asked of the real engine."""

import pytest

from live.driver import driver

SOURCE = """class Box:
    def __init__(self):
        self.size = 1


def callee(argument):
    here = argument
    return here


def caller():
    prices = {"tea": 3, 5: "five"}
    many = list(range(1000))
    box = Box()
    callee(prices)
    return prices, many, box


caller()
"""


@pytest.fixture
async def standing(tmp_path):
    """A driver whose program stands in `callee`, and our id of the caller's frame."""
    script = tmp_path / "shop.py"
    script.write_text(SOURCE)
    async with driver() as made:
        places = [{"file": str(script), "statement": "return here"}]
        stop = await made.ok("start_debugging", scriptPath=str(script), breakpoints=places, wait=30)
        yield made, stop["stack"][0]["id"]


async def references(made, frame):
    told = await made.ok("get_local_variables", frameId=frame)
    return {one["name"]: one["variablesReference"] for one in told["variables"]}


async def test_items_of_a_callers_containers_are_set_and_read_back(standing):
    made, frame = standing
    refs = await references(made, frame)
    for container, name, value, shown in (
        ("prices", "'tea'", "33", "33"),
        ("many", "3", "'three'", "'three'"),
        ("many", "[998]", "-1", "-1"),
        ("box", "size", "2", "2"),
    ):
        told = await made.ok("set_variable", variablesReference=refs[container], name=name, value=value)
        assert told["value"] == shown
    seen = await made.ok("evaluate_expression", expression="prices['tea'], many[3], many[998], box.size", frameId=frame)
    assert seen["result"] == "(33, 'three', -1, 2)"


async def test_items_are_found_by_index_however_it_is_written_and_however_far(standing):
    made, frame = standing
    many = (await references(made, frame))["many"]
    told = await made.ok("get_variables", scope=many, names=["5", "[7]", "0999", "1000", "nope"])
    assert [one["value"] for one in told["variables"]] == ["5", "7", "999"]
    assert told["notFound"] == ["1000", "nope"]


async def test_a_long_list_tells_its_true_length_and_what_was_left_out(standing):
    made, frame = standing
    many = (await references(made, frame))["many"]
    told = await made.ok("get_variables", scope=many)
    assert (told["count"], told["total"]) == (300, 1000)
    assert told["truncation"]["omittedCount"] == 700


async def test_a_filter_holds_where_the_engine_has_none(standing):
    made, frame = standing
    refs = await references(made, frame)
    named = await made.ok("get_variables", scope=refs["many"], filter="named")
    assert not [one for one in named["variables"] if one["name"].isdigit()]
    attributes = await made.ok("get_variables", scope=refs["box"], filter="named")
    assert [one["name"] for one in attributes["variables"]] == ["size"]
    assert (await made.ok("get_variables", scope=refs["box"], filter="indexed"))["count"] == 0


async def test_a_page_before_the_first_item_is_refused(standing):
    made, frame = standing
    many = (await references(made, frame))["many"]
    assert "`start` is `-1`" in await made.refused("get_variables", scope=many, start=-1)
    assert "`levels` is `-1`" in await made.refused("get_stack_trace", levels=-1)


async def test_a_failed_evaluation_names_its_frame(standing):
    made, frame = standing
    told = await made.call("evaluate_expression", expression="here", frameId=frame)
    assert not told["success"] and "NameError" in told["error"]
    assert told["frame"]["id"] == frame and told["frame"]["name"] == "caller"


@pytest.mark.parametrize("leave", ["exit(3)", "import sys; sys.exit(3)", "raise SystemExit(3)"])
async def test_an_evaluation_that_would_leave_the_program_is_an_error_and_the_program_stands(standing, leave):
    made, _ = standing
    assert "SystemExit: 3" in await made.refused("evaluate_expression", expression=leave, timeout=5000)
    assert await made.value("1 + 1") == "2"


async def test_going_on_without_a_wait_says_running(standing):
    made, _ = standing
    told = await made.ok("continue_execution")
    assert told["state"] == "running" and "paused;" not in told["message"]


async def test_a_source_that_changed_since_the_launch_says_so_until_the_restart(tmp_path):
    script = tmp_path / "edited.py"
    script.write_text("x = 1\nprint(x)\n")
    async with driver() as made:
        places = [{"file": str(script), "statement": "print(x)"}]
        stop = await made.ok("start_debugging", scriptPath=str(script), breakpoints=places, wait=30)
        assert "changed since the launch" not in stop["source"]
        script.write_text("# a remark\nx = 1\nprint(x)\n")
        assert "changed since the launch" in (await made.ok("wait_for_stop"))["source"]
        again = await made.ok("restart_debugging", wait=30)
        assert again["content"] == "print(x)" and "changed since the launch" not in again["source"]


async def test_a_step_out_tells_what_the_function_returned(standing):
    made, _ = standing
    stop = await made.ok("step_out")
    assert stop["location"]["function"] == "caller"
    assert stop["returnValue"] == {"value": "{'tea': 3, 5: 'five'}", "type": "dict"}
