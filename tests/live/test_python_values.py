"""Python's values and evaluation: hostile, huge, slow and with effects."""

import pytest

from live.driver import driver, line_of

pytestmark = pytest.mark.live


async def stopped(d, file, text, **launch):
    await d.ok("create_debug_session", language="python")
    await d.ok("set_breakpoint", file=str(file), line=line_of(file, text))
    stop = await d.ok("start_debugging", scriptPath=str(file), wait=30, **launch)
    assert stop["state"] == "paused", stop
    return stop


def named(rows):
    return {row["name"]: row for row in rows}


async def test_a_repr_that_raises_recurses_or_returns_no_text_is_named(case):
    file = case("C23") / "badrepr.py"
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        await d.ok("set_breakpoint", file=str(file), line=14)
        stop = await d.ok("start_debugging", scriptPath=str(file), wait=30)
        shown = {row["name"]: row["value"] for row in stop["locals"]}
        assert shown["fine"] == "'still visible'"
        assert "its __repr__ raised RuntimeError: repr refused" in shown["mute"]
        assert "its __repr__ raised TypeError" in shown["notstr"]
        assert "its __repr__ raised RecursionError" in shown["deep"]
        assert (await d.ok("step_over"))["state"] in ("paused", "stopped")


async def test_a_repr_that_sleeps_is_cut_marked_and_not_run_twice(tmp_path):
    file = tmp_path / "sleepy.py"
    file.write_text(
        "import time\n\n\nclass Sleepy:\n    def __repr__(self):\n        time.sleep(30)\n        return 'up'\n\n\n"
        "sleepy = Sleepy()\nfine = 7\nprint(fine)\n"
    )
    async with driver() as d:
        stop = await stopped(d, file, "print(fine)")
        shown = {row["name"]: row["value"] for row in stop["locals"]}
        assert "its __repr__ did not end in time" in shown["sleepy"] and shown["fine"] == "7"
        assert "not run again" in (await d.locals())["sleepy"]
        end = await d.ok("continue_execution", wait=20)
        assert end["exitCode"] == 0 and await d.printed("stdout") == "7\n"


async def test_a_repr_that_blocks_a_thread_is_interrupted_when_it_runs_python(tmp_path):
    file = tmp_path / "thread.py"
    file.write_text(
        "import threading\n\n\nclass Busy:\n    def __repr__(self):\n        while True:\n            pass\n\n\n"
        "def work():\n    busy = Busy()\n    done = 1\n    print(done)\n\n\nt = threading.Thread(target=work)\n"
        "t.start()\nt.join()\n"
    )
    async with driver() as d:
        stop = await stopped(d, file, "    print(done)")
        shown = {row["name"]: row["value"] for row in stop["locals"]}
        assert "did not end in time" in shown["busy"] and shown["done"] == "1"
        assert (await d.ok("continue_execution", wait=20))["exitCode"] == 0


async def test_looking_runs_one_repr_and_no_property_and_prints_nothing_into_the_program(case):
    file = case("C25") / "chatty.py"
    async with driver() as d:
        await stopped(d, file, 'print("real output")')
        assert await d.value("Chatty.calls") == "1"
        rows = named((await d.ok("get_local_variables"))["variables"])
        assert await d.value("Chatty.calls") == "2"
        inside = named((await d.ok("get_variables", scope=rows["c"]["variablesReference"]))["variables"])
        assert "not run" in inside["counter"]["value"]
        assert await d.value("Chatty.calls") == "2"
        await d.ok("continue_execution", wait=20)
        assert await d.printed("stdout") == "real output\nfinal 2\n"
        assert "REPR-CALLED" in await d.printed("console")


async def test_huge_values_are_cut_announced_and_paged(case):
    file = case("C27") / "huge.py"
    async with driver() as d:
        await stopped(d, file, "print(len(big_list)")
        rows = named((await d.ok("get_local_variables"))["variables"])
        assert rows["small"]["value"] == "'needle'"
        for name, start, first in (("big_list", 500_000, "500000"), ("big_dict", 40_000, "'key40000'")):
            page = await d.ok("get_variables", scope=rows[name]["variablesReference"], start=start, count=3)
            assert page["variables"][0]["name"] == first and page["count"] == 3, page
        whole = await d.ok("evaluate_expression", expression="text")
        assert "2000000 characters in all" in whole["truncation"]["notice"]
        assert len(whole["result"]) < 200_000


async def test_the_end_of_a_long_text_can_be_asked_for(case):
    file = case("C27") / "longstr.py"
    async with driver() as d:
        await stopped(d, file, "print(len(doc))")
        whole = await d.ok("evaluate_expression", expression="doc")
        assert "105811 characters in all" in whole["truncation"]["notice"]
        assert "END-MARK" in await d.value("doc[-20:]")


async def test_sets_cycles_and_big_numbers_are_shown(tmp_path):
    file = tmp_path / "odd.py"
    file.write_text("loop = []\nloop.append(loop)\nmany = set(range(1000))\nbig = 7 ** 20000\nprint('ready')\n")
    async with driver() as d:
        stop = await stopped(d, file, "print('ready')")
        rows = named(stop["locals"])
        assert rows["loop"]["value"] == "[[...]]"
        page = await d.ok("get_variables", scope=rows["many"]["variablesReference"], start=990, count=20)
        assert page["total"] == 1000 and page["count"] == 10
        assert "bits" in rows["big"]["value"] or rows["big"]["value"].isdigit()


async def test_a_lone_surrogate_in_a_value_and_odd_bytes_in_output_are_told(case):
    file = case("C48") / "binary.py"
    async with driver() as d:
        stop = await stopped(d, file, "done = 1")
        assert "\\udcff" in {row["name"]: row["value"] for row in stop["locals"]}["text"]
        printed = await d.printed()
        printed.encode()
        assert "fd1 é split" in printed and "\x00" not in printed


async def test_an_evaluation_that_never_ends_is_interrupted_and_later_ones_work(case):
    file = case("C30") / "evalloop.py"
    async with driver() as d:
        await stopped(d, file, 'print("stop here"')
        assert "was interrupted" in await d.refused("evaluate_expression", expression="forever()", timeout=1000)
        assert await d.value("1+1") == "2"
        assert "was interrupted" in await d.refused("evaluate_expression", expression="slow(30)", timeout=1000)
        assert await d.value("state['n']") == "1"
        await d.ok("close_debug_session")


async def test_an_evaluation_that_nothing_interrupts_makes_later_ones_busy(tmp_path):
    file = tmp_path / "held.py"
    file.write_text(
        "import threading\nimport time\n\n\ndef work():\n    mark = 1\n    print(mark)\n\n\n"
        "t = threading.Thread(target=work)\nt.start()\nt.join()\n"
    )
    async with driver() as d:
        await stopped(d, file, "    print(mark)")
        told = await d.refused("evaluate_expression", expression="time.sleep(6)", timeout=500)
        assert "did not finish" in told
        assert "still evaluates" in await d.refused("evaluate_expression", expression="1+1")
        await d.ok("close_debug_session")


async def test_effects_output_and_errors_of_an_evaluation_are_told(case):
    file = case("C31") / "effects.py"
    async with driver() as d:
        await stopped(d, file, 'print("stop", n)')
        told = await d.ok("evaluate_expression", expression="record('a')")
        assert told["result"] == "1" and told["output"] == "recorded a\n"
        await d.ok("evaluate_expression", expression="n = 99")
        assert (await d.ok("evaluate_expression", expression="print('direct', end='')"))["output"] == "direct"
        assert (await d.refused("evaluate_expression", expression="1/0")).startswith("ZeroDivisionError")
        assert "undefined_thing" in await d.refused("evaluate_expression", expression="undefined_thing")
        await d.refused("evaluate_expression", expression=" ")
        await d.ok("continue_execution", wait=20)
        printed = await d.printed("stdout")
        assert printed.count("direct") == 1 and printed.endswith("n is 99 log ['a']\n")


@pytest.mark.parametrize("expression", ["record('b')", "n = 1", "(y := 4)", "log.append(1)", "del n"])
async def test_side_effects_are_refused_where_asked(case, expression):
    file = case("C31") / "effects.py"
    async with driver() as d:
        await stopped(d, file, 'print("stop", n)')
        await d.refused("evaluate_expression", expression=expression, allowSideEffects=False)
        told = await d.ok("evaluate_expression", expression="n + len(log)", allowSideEffects=False)
        assert told["result"] == "10"


async def test_a_breakpoint_inside_an_evaluation_is_no_stop(case):
    file = case("C31") / "nested.py"
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        for line in (2, 6):
            await d.ok("set_breakpoint", file=str(file), line=line)
        await d.ok("start_debugging", scriptPath=str(file), wait=30)
        assert (await d.ok("continue_execution", wait=20))["location"]["line"] == 6
        assert await d.value("helper(10)") == "11"
        assert (await d.ok("get_stack_trace"))["stackFrames"][0]["line"] == 6


async def test_frames_of_an_earlier_stop_are_refused(case):
    file = case("C29") / "frames.py"
    async with driver() as d:
        await stopped(d, file, "mark = z + 1")
        frames = (await d.ok("get_stack_trace"))["stackFrames"]
        outer = next(frame["id"] for frame in frames if frame["name"] == "outer")
        assert (await d.ok("evaluate_expression", frameId=outer, expression="x"))["result"] == "1"
        await d.ok("continue_execution", wait=20)
        assert "earlier stop" in await d.refused("evaluate_expression", frameId=outer, expression="x")
