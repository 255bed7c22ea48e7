"""Where breakpoints land, when they stop and what they log: the cases of public reports, through the server."""

from pathlib import Path

import pytest
from places import line_of


@pytest.fixture
def python(served):
    """A server, and a fresh Python session of it."""
    return served, served.ok("create_debug_session", language="python")["sessionId"]


def stops(served, told):
    """Every stop to the end: (file name, line, function)."""
    seen = []
    while (told := served.settled(told))["state"] == "paused":
        assert len(seen) < 40, seen
        place = told["location"]
        seen.append((Path(place["file"]).name, place["line"], place["function"]))
        told = served.go(told)
    return seen, told


def run(served, session, script, **more):
    return stops(served, served.ok("start_debugging", sessionId=session, scriptPath=str(script), wait=40, **more))


@pytest.mark.parametrize(("set_by", "run_by"), [("link", "real"), ("real", "link")])
def test_c01_a_file_of_two_spellings_is_one(python, case, set_by, run_by):
    served, session = python
    folder = case("C01")
    line = line_of(folder / "real" / "shop.py", "acc += price")
    first = served.ok("set_breakpoint", sessionId=session, file=str(folder / set_by / "shop.py"), line=line)
    again = served.ok("set_breakpoint", sessionId=session, file=str(folder / run_by / "shop.py"), line=line)
    assert first["breakpointId"] == again["breakpointId"]
    assert Path(first["file"]).samefile(folder / "real" / "shop.py")
    seen, _ = run(served, session, folder / run_by / "main.py")
    assert seen == [("shop.py", line, "total")] * 3
    assert served.ok("list_breakpoints", sessionId=session)["count"] == 1


def test_c03_line_ends_and_tabs(python, case):
    served, session = python
    file = str(case("C03") / "crlf.py")
    spaced = {"file": file, "line": 2, "expectedContent": "    result = w * h    # tabbed"}
    told = [
        served.ok("set_breakpoint", sessionId=session, file=file, statement="result = w * h"),
        served.ok("set_breakpoint", sessionId=session, file=file, line=2, expectedContent="result = w * h\t# tabbed"),
        served.ok("set_breakpoint", sessionId=session, **spaced),
    ]
    assert [one["line"] for one in told] == [2, 2, 2] and "\\r" not in repr(told)
    assert run(served, session, file)[0] == [("crlf.py", 2, "area")]


def test_c05_characters_that_end_no_line(python, case):
    served, session = python
    file = str(case("C05") / "breaks.py")
    one = served.ok("set_breakpoint", sessionId=session, file=file, statement="target = odd + nel + vt")
    other = served.ok("set_breakpoint", sessionId=session, file=file, line=6, expectedContent="target = odd + nel + vt")
    assert (one["line"], other["line"]) == (6, 6)
    assert run(served, session, file)[0] == [("breaks.py", 6, "<module>")]


def test_c07_two_files_of_one_name(python, case):
    served, session = python
    folder = case("C07")
    one = served.ok("set_breakpoint", sessionId=session, file=str(folder / "alpha" / "util.py"), line=2)
    told = served.ok("start_debugging", sessionId=session, scriptPath=str(folder / "main.py"), cwd=str(folder), wait=40)
    again = served.ok("set_breakpoint", sessionId=session, file="alpha/util.py", line=2)
    assert again["breakpointId"] == one["breakpointId"]
    assert "alpha" in told["location"]["file"]
    assert stops(served, told)[0] == [("util.py", 2, "work")]
    bare = served.call("set_breakpoint", sessionId=session, file="util.py", line=2)
    assert bare["success"] is False and "util.py" in bare["error"]


@pytest.mark.parametrize(("line", "bound"), [(3, 5), (4, 5), (7, None), (10, 9)])
def test_c09_a_line_that_holds_no_code(python, case, line, bound):
    served, session = python
    file = str(case("C09") / "blank.py")
    told = served.call("set_breakpoint", sessionId=session, file=file, line=line)
    if bound is None:
        assert told["success"] is False and "6: `return a + b`" in told["hint"]
        return
    assert (told["requestedLine"], told["line"]) == (line, bound)
    assert f"requested {line}, bound to {bound}" in told["warning"]


def test_c09_a_line_past_the_end_and_no_file(python, case):
    served, session = python
    folder = case("C09")
    told = served.call("set_breakpoint", sessionId=session, file=str(folder / "short.py"), line=99)
    assert told["success"] is False and "has 2 lines" in told["error"]
    told = served.call("set_breakpoint", sessionId=session, file=str(folder / "nope.py"), line=1)
    assert told["success"] is False and "no file" in told["error"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [("cube", [(14, "cube"), (19, "Box.cube")]), ("Box.cube", [(19, "Box.cube")]), ("nope", [])],
)
def test_c11_a_function_by_its_name(python, case, function, expected):
    served, session = python
    file = case("C11") / "deco.py"
    served.ok("set_breakpoint", sessionId=session, function=function)
    seen, end = run(served, session, file)
    assert [line for _, line, _ in seen] == [line for line, _ in expected]
    (row,) = served.ok("list_breakpoints", sessionId=session)["functionBreakpoints"]
    assert row["verified"] is bool(expected) and row["hits"] == len(expected)
    if function == "cube":
        assert "cube (deco.py:14), Box.cube (deco.py:19)" in row["warning"]
    if not expected:
        assert "never bound" in end["unhitBreakpoints"][0]["reason"]


@pytest.mark.parametrize("text", ["def cube(n):", '"""Docstring first."""'])
def test_c11_a_line_that_runs_at_the_definition_says_so(python, case, text):
    served, session = python
    file = case("C11") / "deco.py"
    told = served.ok("set_breakpoint", sessionId=session, file=str(file), line=line_of(file, text))
    assert told["line"] == 14 or "when the function is defined" in told["warning"]


def test_c13_ambiguous_and_commented(python, case):
    served, session = python
    folder = case("C13")
    twice = {"sessionId": session, "file": str(folder / "dup.py"), "statement": "v = v + 1"}
    told = served.call("set_breakpoint", **twice)
    assert told["code"] == "anchor-ambiguous" and "2: v = v + 1" in told["error"] and "6: v = v + 1" in told["error"]
    assert served.ok("list_breakpoints", sessionId=session)["count"] == 0
    assert served.ok("set_breakpoint", **twice, nearLine=5)["line"] == 6
    comment = str(folder / "comment.py")
    for statement, line in (("limit = 10", 1), ('label = "a # not comment"', 2)):
        told = served.ok("set_breakpoint", sessionId=session, file=comment, statement=statement)
        assert told["line"] == line and "warning" not in told
    told = served.call("set_breakpoint", sessionId=session, file=comment, statement="limit")
    assert told["code"] == "anchor-ambiguous"


def test_c15_set_and_removed_while_it_runs(python, case):
    served, session = python
    file = case("C15") / "ticker.py"
    other = f"{file.parent}/../C15/ticker.py"
    told = served.ok("start_debugging", sessionId=session, scriptPath=str(file), wait=0.2)
    assert told["state"] in ("starting", "running")
    served.ok("set_breakpoint", sessionId=session, file=str(file), line=5)
    told = served.settled(told)
    served.ok("set_breakpoint", sessionId=session, file=other, line=6)
    lines = [told["location"]["line"]]
    for _ in range(3):
        lines.append((told := served.go(told))["location"]["line"])
    assert lines == [5, 6, 5, 6]
    served.ok("remove_breakpoint", sessionId=session, file=other, line=5)
    assert [(told := served.go(told))["location"]["line"] for _ in range(2)] == [6, 6]
    served.ok("remove_breakpoint", sessionId=session, file=str(file), line=6)
    told = served.ok("continue_execution", sessionId=session, wait=0.3)
    assert told["state"] == "running" and served.ok("list_breakpoints", sessionId=session)["count"] == 0
    served.ok("clear_breakpoints", sessionId=session)
    served.ok("close_debug_session", sessionId=session)


def test_c17_logpoints(python, case):
    served, session = python
    file = case("C17") / "loop.py"
    at = {"sessionId": session, "file": str(file), "line": 3}
    told = served.call("set_breakpoint", **at, logMessage="open={ end")
    assert told["success"] is False and "not closed" in told["error"]
    served.ok(
        "set_breakpoint", **at, logMessage="hit i={i} d={data['k']} f={i:>3} r={i!r} {nope} {{x}}", condition="i == 4"
    )
    seen, _ = run(served, session, file)
    assert seen == []
    entries = served.ok("get_output", sessionId=session, limit=1000)["entries"]
    logged = [one["output"] for one in entries if one["category"] == "log"]
    assert logged == ["hit i=4 d=5 f=  4 r=4 {NameError: name 'nope' is not defined} {x}\n"]
    assert "".join(one["output"] for one in entries if one["category"] == "stdout") == "end 25\n"
    assert served.ok("list_breakpoints", sessionId=session)["breakpoints"][0]["hits"] == 1


def test_a_loop_at_the_head_of_a_body_counts_once_a_call(python, tmp_path):
    served, session = python
    file = tmp_path / "loops.py"
    file.write_text("def each(rows):\n    for row in rows:\n        print(row)\n\n\neach([1, 2, 3])\neach([4, 5])\n")
    served.ok("set_breakpoint", sessionId=session, function="each")
    assert run(served, session, file)[0] == [("loops.py", 2, "each")] * 2


def test_a_condition_that_fails_is_told_and_never_stops(python, case):
    served, session = python
    file = case("C17") / "loop.py"
    at = {"sessionId": session, "file": str(file), "line": 3}
    assert served.call("set_breakpoint", **at, condition="i =")["success"] is False
    served.ok("set_breakpoint", **at, condition="nowhere > 1")
    seen, end = run(served, session, file)
    (row,) = served.ok("list_breakpoints", sessionId=session)["breakpoints"]
    assert seen == [] and "nowhere" in end["warning"] and "its condition failed" in row["message"] and row["hits"] == 0


def test_a_stop_and_a_log_share_a_line_and_each_is_replaced(python, case):
    served, session = python
    at = {"sessionId": session, "file": str(case("C17") / "loop.py"), "line": 3}
    stop = served.ok("set_breakpoint", **at)
    log = served.ok("set_breakpoint", **at, logMessage="i={i}", hitCondition="<=2")
    again = served.ok("set_breakpoint", **at, hitCondition=5)
    assert stop["breakpointId"] == again["breakpointId"] != log["breakpointId"]
    seen, _ = run(served, session, at["file"])
    entries = served.ok("get_output", sessionId=session, limit=1000, categories=["log"])["entries"]
    assert len(seen) == 1 and [one["output"] for one in entries] == ["i=0\n", "i=1\n"]
    hits = {row["breakpointId"]: row["hits"] for row in served.ok("list_breakpoints", sessionId=session)["breakpoints"]}
    assert hits == {stop["breakpointId"]: 1, log["breakpointId"]: 2}


def test_until_goes_with_whatever_stop_comes_first(python, case):
    served, session = python
    file = str(case("C17") / "loop.py")
    served.ok("set_breakpoint", sessionId=session, file=file, line=3, hitCondition="<=2")
    served.settled(served.ok("start_debugging", sessionId=session, scriptPath=file, wait=40))
    until = {"file": file, "statement": 'print("end", square)'}
    told = served.ok("continue_execution", sessionId=session, until=until, wait=40)
    assert told["location"]["line"] == 3
    told = served.settled(served.ok("continue_execution", sessionId=session, wait=40))
    assert told["state"] == "stopped" and told["exitCode"] == 0


TWO = (
    "def f():\n    a = 1\n    b = 2\n    return a + b\n\n\n"
    "def g():\n    a = 3\n    b = 2\n    return a - b\n\n\nprint(f(), g())\n"
)


@pytest.mark.parametrize(
    ("old", "new", "statement", "line", "moved"),
    [
        ("def f", "# one\n\ndef f", "a = 1", 4, True),
        ("    a = 1\n    b = 2\n    return a + b", "    b = 2\n    a = 1\n    return a + b", "a = 1", 3, True),
        ("a = 1\n", "a = 1 + 0\n", "a = 1", 2, False),
    ],
    ids=["lines inserted", "the line moved", "the line extended"],
)
def test_an_anchor_is_found_again(python, tmp_path, old, new, statement, line, moved):
    served, session = python
    file = tmp_path / "two.py"
    file.write_text(TWO)
    served.ok("set_breakpoint", sessionId=session, file=str(file), line=2, expectedContent=statement)
    served.settled(served.ok("start_debugging", sessionId=session, scriptPath=str(file), wait=40))
    file.write_text(TWO.replace(old, new))
    told = served.ok("restart_debugging", sessionId=session, wait=40)
    assert told["state"] == "paused" and told["location"]["line"] == line
    assert bool(told.get("anchorResolution", {}).get("moved")) is moved
    assert moved or "any more" in told["warning"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("    a = 1\n", ""), ("    a = 1\n", "    a = 1\n    a = 1\n"), ("    a = 1\n    b = 2\n", "    total = 1\n")],
    ids=["removed", "doubled", "rewritten"],
)
def test_a_stale_anchor_is_told_and_kept(python, tmp_path, old, new):
    served, session = python
    file = tmp_path / "two.py"
    file.write_text(TWO)
    served.ok("set_breakpoint", sessionId=session, file=str(file), statement="a = 1")
    served.ok("set_breakpoint", sessionId=session, file=str(file), statement="print(f(), g())")
    served.settled(served.ok("start_debugging", sessionId=session, scriptPath=str(file), wait=40))
    file.write_text(TWO.replace(old, new))
    told = served.ok("restart_debugging", sessionId=session, wait=40)
    (stale,) = told["anchorResolution"]["stale"]
    assert told["state"] == "paused" and stale["statement"] == "a = 1" and "b1 is stale" in told["warning"]
    assert served.ok("list_breakpoints", sessionId=session)["count"] == 2
