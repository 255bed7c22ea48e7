"""A step over a call ends on the next line, whatever breakpoints of no stop it meets, in every language."""

import shutil

import places
import pytest
import toolchains

from live.test_counting import COUNTINGS

pytestmark = pytest.mark.live
OVER = ("python", "javascript", "java", "go", "cpp", "c-lldb", "rust", "ruby", "bash", "perl", "lua")


@pytest.mark.parametrize("name", OVER)
def test_a_step_over_a_call_passes_breakpoints_of_no_stop(served, tmp_path, name):
    told = COUNTINGS[name]
    toolchains.needs(*told.needs)
    file = str(shutil.copy(places.FIXTURES / "counting" / told.file, tmp_path))
    text = (tmp_path / told.file).read_text()
    call = next(line.strip() for line in text.splitlines() if "visit" in line and ("last =" in line or "$i" in line))
    more = {"debugger": told.debugger} if told.debugger else {}
    shape = {"condition": told.seven.replace("7", "100"), "hitCondition": "100"}
    stop = served.run(
        name.partition("-")[0],
        {"file": file, "statement": call},
        {"file": file, "statement": told.inside, "logMessage": "inside {" + told.n + "}"},
        {"file": file, "statement": told.inside, **shape},
        {"function": "visit", "hitCondition": "100"},
        scriptPath=file,
        **more,
    )
    session = stop["sessionId"]
    assert stop["content"].strip() == call, stop
    for _ in range(4):  # the line itself may be several steps long
        stop = served.settled(served.ok("step_over", sessionId=session))
        assert stop["stopReason"] == "step", stop
        if stop["content"].strip() != call:
            break
    stop = served.go(stop)
    assert stop["stopReason"] == "breakpoint" and stop["content"].strip() == call, stop
    assert served.ok("evaluate_expression", sessionId=session, expression=told.i)["result"] == "2"
    output = served.ok("get_output", sessionId=session, categories=["log"])["entries"]
    assert "".join(entry["output"] for entry in output).split() == ["inside", "1"], output


@pytest.mark.parametrize("name", ["cpp", "go", "javascript"])
def test_a_message_is_counted_beside_a_stop_of_its_line_that_counts_too(served, tmp_path, name):
    told = COUNTINGS[name]
    toolchains.needs(*told.needs)
    file = str(shutil.copy(places.FIXTURES / "counting" / told.file, tmp_path))
    line = {"file": file, "statement": told.says.format("shared")}
    stop = served.run(
        name,
        {**line, "condition": told.even, "hitCondition": "%2"},
        {**line, "condition": told.i + " > 2", "hitCondition": ">=3", "logMessage": "L{" + told.i + "}"},
        scriptPath=file,
    )
    session, seen = stop["sessionId"], []
    while stop["state"] == "paused":
        seen.append(served.ok("evaluate_expression", sessionId=session, expression=told.i)["result"])
        stop = served.go(stop)
    output = served.ok("get_output", sessionId=session, categories=["log"])["entries"]
    assert seen == ["4", "8"]
    assert "".join(entry["output"] for entry in output).split() == [f"L{i}" for i in range(5, 11)]
