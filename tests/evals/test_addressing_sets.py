"""What an agent named, out of the relay's log: single sets, lists, probes, `until`, and logs that are torn or mixed."""

import json

import pytest
from addressing_eval import imported

TASK = {"targets": ["total = 0", "total += one"], "entries": ["total = 0"]}
TEXT = "def add(ones):\n    total = 0\n    for one in ones:\n        total += one\n    return total\n"


@pytest.fixture
def modules(monkeypatch):
    return imported(monkeypatch)


@pytest.fixture
def log(tmp_path):
    return Log(tmp_path / "messages.jsonl")


class Log:
    """A log as the relay writes it."""

    def __init__(self, path):
        self.path, self.number = path, 0
        path.write_text("")
        self.row("file", {"name": "a.py", "text": TEXT})

    def row(self, way, message, relay=1, size=0):
        line = {"time": 0, "relay": relay, "way": way, "bytes": size, "message": message}
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def call(self, tool, answer, *, relay=1, bound=None, **arguments):
        self.number += 1
        self.asked(tool, self.number, relay=relay, **arguments)
        if bound is not None:
            self.row("bound", {"id": self.number, "answer": bound}, relay)
        self.answered(self.number, answer, relay=relay)

    def asked(self, tool, identity, relay=1, **arguments):
        params = {"name": tool, "arguments": arguments}
        self.row("ask", {"id": identity, "method": "tools/call", "params": params}, relay, 10)

    def answered(self, identity, answer, relay=1):
        self.row("answer", {"id": identity, "result": {"structuredContent": answer}}, relay, 100)

    def judged(self, modules):
        return modules["measures"].measure(modules["measures"].Run("line", "m", "t"), self.path, TASK)


def at(line, **more):
    return {"success": True, "file": "/w/a.py", "line": line, "content": TEXT.split("\n")[line - 1].strip(), **more}


def counts(run):
    return run.sets, run.accepted, run.wrong, run.rejected, run.reset


REFUSED = {"success": False, "code": "usage", "error": "`a.py` has 5 lines, so there is no line 99; its last line is 5"}


def test_a_set_is_judged_by_the_text_that_it_is_bound_to(modules, log):
    log.call("set_breakpoint", at(2), file="/w/a.py", line=2)
    log.call("add_breakpoint", at(4), fileFullPath="/w/a.py", line="4")
    log.call("set_breakpoint", at(5), file="a.py", line=5)
    assert counts(log.judged(modules)) == (3, 3, 1, 0, 0)


def test_each_place_of_an_inline_list_is_a_set(modules, log):
    asked = [{"file": "a.py", "line": 2}, {"file": "a.py", "line": 5}, {"function": "add"}]
    rows = [{"breakpointId": "b1", "line": 2}, {"breakpointId": "b2", "line": 5}, {"breakpointId": "b3", "line": 2}]
    log.call("start_debugging", {"success": True, "breakpoints": rows}, scriptPath="a.py", breakpoints=asked)
    assert counts(log.judged(modules)) == (3, 3, 1, 0, 0)


def test_a_line_of_a_list_is_read_as_the_text_of_its_time(modules, log):
    log.row("file", {"name": "a.py", "text": "# one\n# two\n" + TEXT})
    rows = [{"breakpointId": "b1", "line": 4}]
    asked = [{"file": "a.py", "line": 4}]
    log.call("start_debugging", {"success": True, "breakpoints": rows}, breakpoints=asked)
    log.row("file", {"name": "a.py", "text": TEXT})
    log.call("start_debugging", {"success": True, "breakpoints": rows}, breakpoints=asked)
    assert counts(log.judged(modules)) == (2, 2, 0, 0, 0), "`total = 0` then, and `total += one` now"


def test_probes_are_sets_too(modules, log):
    probes = [{"file": "a.py", "line": 4, "capture": ["one"]}, {"file": "a.py", "line": 3}]
    told = [{"probe": "0", "bound": True, "line": 4}, {"probe": "1", "bound": True, "line": 3}]
    log.call("investigate", {"success": True, "probes": told}, probes=probes)
    assert counts(log.judged(modules)) == (2, 2, 1, 0, 0)


def test_breakpoints_of_a_test_are_read_from_the_servers_own_list(modules, log):
    asked = [{"file": "a.py", "line": 5}, {"function": "add"}, {"file": "a.py", "line": 4}]
    bound = {
        "breakpoints": [{"breakpointId": "b10", "line": 4}, {"breakpointId": "b1", "line": 5}],
        "functionBreakpoints": [{"breakpointId": "b2", "line": 2}],
    }
    log.call("debug_test", {"success": True, "sessionId": "s"}, test="t", breakpoints=asked, bound=bound)
    assert counts(log.judged(modules)) == (3, 3, 1, 0, 0)


def test_where_nothing_tells_the_places_they_are_counted_as_not_judged(modules, log):
    log.call("debug_test", {"success": True}, test="t", breakpoints=[{"file": "a.py", "line": 5}])
    run = log.judged(modules)
    assert (*counts(run), run.unjudged) == (1, 1, 0, 0, 0, 1)


@pytest.mark.parametrize(
    "answer",
    [
        REFUSED,
        {"success": False, "code": "usage", "error": "probe 1: no"},
        {"success": False, "code": "usage", "error": "`breakpoints[1].statement` is not an argument of it"},
        {"success": False, "code": "anchor-not-found", "error": "whatever is said of it"},
    ],
)
def test_a_refused_list_is_one_refused_set(modules, log, answer):
    asked = [{"file": "a.py", "line": 2}, {"file": "a.py", "line": 99}]
    log.call("start_debugging", answer, breakpoints=asked)
    assert counts(log.judged(modules)) == (1, 0, 0, 1, 0)


def test_a_start_that_is_refused_for_another_reason_says_nothing_of_its_places(modules, log):
    answer = {"success": False, "code": "usage", "error": "there is no file `/w/b.py`"}
    log.call("start_debugging", answer, breakpoints=[{"file": "a.py", "line": 2}])
    assert counts(log.judged(modules)) == (0, 0, 0, 0, 0)


def test_a_function_is_named_rightly_where_a_target_is_in_it(modules, log):
    log.call("set_breakpoint", at(2, functionName="add"), function="add")
    log.call("set_breakpoint", {"success": True, "verified": False, "functionName": "ad"}, function="ad")
    assert counts(log.judged(modules)) == (2, 2, 1, 0, 0), "one that is bound nowhere is wrong"


def test_a_watched_value_has_no_text_to_judge(modules, log):
    log.call("set_breakpoint", {"success": True, "verified": True}, watch="total")
    run = log.judged(modules)
    assert (run.wrong, run.unjudged) == (0, 1)


def test_until_is_judged_where_it_was_reached(modules, log):
    reached = {
        "success": True,
        "stopReason": "goto",
        "location": {"file": "/w/a.py", "line": 5},
        "content": "return total",
    }
    log.call("continue_execution", reached, until={"file": "a.py", "line": 5})
    log.call("continue_execution", {"success": True, "state": "running"}, until={"file": "a.py", "line": 5})
    log.call("continue_execution", REFUSED, until={"file": "a.py", "line": 99})
    run = log.judged(modules)
    assert (*counts(run), run.unjudged) == (3, 2, 1, 1, 0, 1)


def test_a_correction_is_a_set_near_a_bad_one_within_three_calls_and_counts_once(modules, log):
    log.call("set_breakpoint", at(5), file="a.py", line=5)  # wrong
    log.call("set_breakpoint", at(4), file="a.py", line=4)  # its correction
    log.call("set_breakpoint", at(2), file="a.py", line=2)  # the next place
    assert counts(log.judged(modules)) == (3, 3, 1, 0, 1)


@pytest.mark.parametrize(("between", "reset"), [(2, 1), (3, 0)])
def test_a_correction_comes_soon(modules, log, between, reset):
    log.call("set_breakpoint", at(5), file="a.py", line=5)
    for _ in range(between):
        log.call("list_breakpoints", {"success": True})
    log.call("set_breakpoint", at(4), file="a.py", line=4)
    assert log.judged(modules).reset == reset


@pytest.mark.parametrize("place", [{"file": "a.py", "line": 4}, {"file": "b.py", "line": 99}])
def test_a_set_far_away_or_in_another_file_corrects_nothing(modules, log, place):
    log.call("set_breakpoint", REFUSED, file="a.py", line=99)
    log.call("set_breakpoint", at(4, file=place["file"]), **place)
    assert log.judged(modules).reset == 0


def test_a_refused_statement_is_corrected_by_the_next_set_of_its_file(modules, log):
    log.call("set_breakpoint", {"success": False, "code": "anchor-not-found", "error": "-"}, file="a.py", statement="x")
    log.call("set_breakpoint", at(4), file="a.py", statement="total += one")
    assert counts(log.judged(modules)) == (2, 1, 0, 1, 1)


def test_two_servers_of_one_agent_are_kept_apart(modules, log):
    log.asked("set_breakpoint", 1, relay=1, file="a.py", line=2)
    log.asked("set_breakpoint", 1, relay=2, file="a.py", line=5)
    log.answered(1, at(5), relay=2)
    log.answered(1, at(2), relay=1)
    assert counts(log.judged(modules)) == (2, 2, 1, 0, 0)


def test_calls_without_an_answer_and_torn_logs_are_read_as_far_as_they_go(modules, log):
    log.call("set_breakpoint", at(2), file="a.py", line=2)
    log.asked("set_breakpoint", 77, file="a.py", line=2)
    with log.path.open("a") as file:
        file.write('{"way": "answer", "relay": 1, "mess')
    run = log.judged(modules)
    assert (run.rounds, run.unanswered, run.sets, run.bytes) == (2, 1, 1, 120)


def test_arguments_that_are_no_arguments_do_not_end_the_measuring(modules, log):
    log.call("start_debugging", {"success": False, "error": "-"}, breakpoints="x")
    log.call("start_debugging", {"success": False, "error": "-"}, breakpoints=[1, None])
    log.call("continue_execution", {"success": False, "error": "-"}, until="x")
    log.row("ask", {"id": 9, "method": "tools/call", "params": [1]})
    log.row("ask", [1, 2])
    log.row("answer", "no json")
    assert log.judged(modules).sets == 0


def test_a_restart_is_astray_where_its_first_breakpoint_stands_elsewhere(modules, log):
    log.call("restart_debugging", {"success": True, "stopReason": "breakpoint", "content": "total = 0"})
    log.call("restart_debugging", {"success": True, "stopReason": "breakpoint", "content": "def add(ones):"})
    log.call("restart_debugging", {"success": True, "stopReason": "function breakpoint", "content": "total = 0"})
    log.call("restart_debugging", {"success": True, "state": "stopped"})
    run = log.judged(modules)
    assert (run.restarts, run.astray) == (3, 1)


def test_the_audit_trail_has_to_tell_of_every_accepted_set(modules, log):
    log.call("set_breakpoint", at(2), file="a.py", line=2)
    log.call("set_breakpoint", at(4), file="a.py", line=4)
    text = "\n".join(json.dumps(one) for one in ({"tool": "set_breakpoint", "arguments": {}}, {"stop": "breakpoint"}))
    log.row("audit", {"uri": "debug://sessions/s1/audit", "result": {"contents": [{"text": text}]}})
    run = log.judged(modules)
    assert (run.audited, run.unaudited) == (1, 1)
