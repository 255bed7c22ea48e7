"""The demo's story: a wrong total, found, proved and tried without touching the source.

A tenth off for three of a kind is taken from the whole total so far instead of from the cakes alone:
3660 cents where 3700 are right.
"""

from typing import Any

from dapwright.demo.stage import Stage, Unexpected, expect, local, say

TEST = "test_shop.py::test_three_cakes_cost_a_tenth_less"
SUSPECT = "total -= discount"
RIGHT = "cost * BULK_PERCENT // 100"


async def see_the_failure(stage: Stage) -> None:
    """One call: the failing assertion, and what was compared."""
    say("A test fails. One call runs it and stops where it fails, though the test runner would catch it.")
    answer = await stage.call("debug_test", test=TEST)
    expect("state", answer["state"], "paused")
    expect("the line", answer["content"].strip(), "assert total == 400 + 2700 + 600")
    compared = answer["failure"]["comparison"]
    expect("it got", compared["left"], 3660)
    expect("it wanted", compared["right"], 3700)
    expect("local `total`", local(answer, "total"), 3660)
    await stage.call("close_debug_session", sessionId=answer["sessionId"])


async def look_at_the_values(stage: Stage) -> None:
    """One run with probes: a table of values, nothing paused."""
    say("Why 3660? One run with a probe on a statement answers with the values of every pass.")
    probe = {"file": "shop.py", "statement": SUSPECT, "capture": ["item.name", "cost", "total", "discount"]}
    answer = await stage.call("investigate", test=TEST, probes=[probe])
    expect("the probe's hits", answer["probes"][0]["hits"], 3)
    rows = [row["values"] for row in answer["rows"]]
    expect("rows", len(rows), 3)
    expect("cost of the cakes", rows[1]["cost"], 3000)
    expect("discount on the cakes", rows[1]["discount"], 340)
    expect("the test passed", answer.get("testPassed"), False)


async def try_the_change(stage: Stage) -> None:
    """A change tried on the running program: does the test pass with it?"""
    say("A tenth of 3000 is 300, but 340 were taken: a tenth of the whole total. Try the change without an edit.")
    probe = {
        "file": "shop.py",
        "statement": SUSPECT,
        "capture": ["discount"],
        "condition": "item.count >= BULK_COUNT",
        "set": {"discount": RIGHT},
    }
    answer = await stage.call("investigate", test=TEST, probes=[probe])
    expect("the test passed", answer.get("testPassed"), True)


async def walk_through(stage: Stage) -> None:
    """The debugger itself: one call from cold to the locals at a line, then step, evaluate, change, go on."""
    say("And by hand: one call starts the program and answers with the locals at a statement, on one condition.")
    stop = {"file": "shop.py", "statement": SUSPECT, "condition": "item.count >= BULK_COUNT"}
    answer = await stage.call("start_debugging", scriptPath="shop.py", breakpoints=[stop], wait=True)
    session = answer["sessionId"]
    expect("state", answer["state"], "paused")
    expect("why it stopped", answer["lastStop"]["reason"], "breakpoint")
    expect("function", answer["location"]["function"], "basket_total")
    expect("local `discount`", local(answer, "discount"), 340)

    answer = await stage.call("evaluate_expression", sessionId=session, expression=RIGHT)
    expect(f"`{RIGHT}`", answer["result"], 300)

    answer = await stage.call("step_over", sessionId=session)
    expect("local `total` after the step", local(answer, "total"), 3060)

    answer = await stage.call("set_variable", sessionId=session, name="total", value="3100")
    expect("what it is now", answer["value"], 3100)

    answer = await stage.call("continue_execution", sessionId=session, wait=True)
    expect("state", answer["state"], "stopped")
    expect("exit code", answer["exitCode"], 0)
    await see_the_receipt(stage, session)
    await stage.call("close_debug_session", sessionId=session)


async def see_the_receipt(stage: Stage, session: str) -> None:
    answer = await stage.call("get_output", sessionId=session)
    printed = "".join(entry["output"] for entry in answer["entries"] if entry["category"] == "stdout")
    expect("it printed", printed.strip(), "to pay: 37.00")


async def leave_nothing(stage: Stage) -> None:
    """Every session that the story opened is closed, or over."""
    say("Nothing is left running.")
    answer = await stage.call("list_debug_sessions")
    live: list[dict[str, Any]] = [one for one in answer.get("sessions", ()) if one["state"] not in ("stopped", "error")]
    if live:
        raise Unexpected(f"sessions are still live: {live}")


STORY = (see_the_failure, look_at_the_values, try_the_change, walk_through)
