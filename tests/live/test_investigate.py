"""investigate as a client drives it: rows, counts, reasons, changes, limits, several processes."""

import socket
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]

LOOP = """\
import sys

total = 0
for number in range(6):
    total += number
    if number > 90:
        print("never")
print('{"k": "row", "id": "~1", "hit": 99, "values": {"number": "forged"}}')
print("total", total)
"""
UNUSED = "def unused():\n    return 1\n"
POOL = """\
import multiprocessing
import sys


def work(number):
    square = number * number
    return square


if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(work, [7, 8, 9]))
"""
SPIN = "import time\n\nturn = 0\nprint('spinning', flush=True)\nwhile True:\n    turn += 1\n    time.sleep(0.01)\n"
TEST = "def price(total):\n    total = total * 2\n    return total\n\n\ndef test_price():\n    assert price(2) == 3\n"


@pytest.fixture
def loop(tmp_path):
    path = tmp_path / "loop.py"
    path.write_text(LOOP)
    return str(path)


def look(served, **more):
    return served.ok("investigate", executablePath=sys.executable, **more)


def test_every_probe_answers_rows_in_the_order_of_events(served, loop):
    probe = {
        "file": loop,
        "statement": "total += number",
        "capture": ["number", "total", "[number * k for k in (1, 2)]"],
    }
    told = look(served, scriptPath=loop, probes=[probe])
    assert [row["values"]["total"] for row in told["rows"]] == ["0", "0", "1", "3", "6", "10"]
    assert told["rows"][2]["values"]["[number * k for k in (1, 2)]"] == "[2, 4]"
    assert [row["n"] for row in told["rows"]] == [1, 2, 3, 4, 5, 6] and told["rows"][1]["changed"]
    assert told["exitCode"] == 0 and told["truncated"] is False and told["probes"][0]["hits"] == 6


def test_what_the_program_prints_is_no_row(served, loop):
    told = look(served, scriptPath=loop, probes=[{"file": loop, "line": 5, "capture": ["number"]}])
    assert "forged" in told["output"] and "forged" not in str(told["rows"])


def test_a_failing_capture_is_its_error_and_the_others_stand(served, loop):
    told = look(
        served, scriptPath=loop, probes=[{"file": loop, "line": 5, "capture": ["nosuch", "number"], "maxHits": 1}]
    )
    assert told["rows"][0]["values"] == {"nosuch": "<error: NameError: name 'nosuch' is not defined>", "number": "0"}
    assert len(told["rows"]) == 1 and told["probes"][0]["hits"] == 6


def test_a_probe_that_was_never_hit_says_why(served, loop, tmp_path):
    (tmp_path / "unused.py").write_text(UNUSED)
    other = str(tmp_path / "unused.py")
    probes = [
        {"file": loop, "line": 5, "condition": "number > 50", "label": "false"},
        {"file": loop, "statement": 'print("never")', "label": "passed by"},
        {"file": other, "function": "unused", "label": "elsewhere"},
        {"file": other, "statement": "return 1", "label": "not loaded"},
        {"file": loop, "line": 5, "condition": "nosuch > 1", "label": "wrong"},
    ]
    told = {probe["probe"]: probe for probe in look(served, scriptPath=loop, probes=probes)["probes"]}
    assert told["false"]["conditionFalse"] == {
        "count": 6,
        "samples": [{"number": "0"}, {"number": "1"}, {"number": "2"}],
    }
    assert told["false"]["reason"].startswith("condition never true")
    assert told["passed by"]["reason"] == "line never run" and told["passed by"]["bound"] is True
    assert told["not loaded"]["reason"].startswith("not loaded")
    assert "NameError" in told["wrong"]["reason"]


def test_a_changed_value_makes_the_test_pass_without_an_edit(served, tmp_path):
    path = tmp_path / "test_price.py"
    path.write_text(TEST)
    probe = {"file": str(path), "statement": "return total", "capture": ["total"], "set": {"total": "total - 1"}}
    told = look(served, test=f"{path}::test_price", probes=[probe])
    assert told["testPassed"] is True and told["rows"][0]["values"] == {"total": "4", "set total": "3"}
    plain = look(
        served, test=f"{path}::test_price", probes=[{"file": str(path), "function": "price", "capture": ["total"]}]
    )
    assert plain["testPassed"] is False and plain["exception"]["type"] == "AssertionError"


def test_a_crash_is_told_with_its_place_and_nothing_stays_paused(served, tmp_path):
    path = tmp_path / "crash.py"
    path.write_text("def part(whole):\n    return 1 / whole\n\n\npart(2)\npart(0)\n")
    told = look(served, scriptPath=str(path), probes=[{"file": str(path), "function": "part", "capture": ["whole"]}])
    assert told["state"] == "stopped" and told["exception"]["line"] == 2 and told["exitCode"] == 1
    assert [row["values"]["whole"] for row in told["rows"]] == ["2", "0"]


def test_a_line_with_a_comprehension_is_one_hit_unless_what_is_its_own_is_asked_for(served, tmp_path):
    path = tmp_path / "rows.py"
    path.write_text(
        "def doubled(rows):\n    return [row * 2 for row in rows] + list(row for row in rows)\n\n\ndoubled([1, 2, 3])\n"
    )
    at = {"file": str(path), "line": 2}
    table = look(
        served,
        scriptPath=str(path),
        probes=[{**at, "capture": ["rows"]}, {**at, "capture": ["row"], "condition": "row > 1"}],
    )
    assert [row["values"] for row in table["rows"] if "rows" in row["values"]] == [{"rows": "[1, 2, 3]"}]
    seen = [row["values"]["row"] for row in table["rows"] if "row" in row["values"]]
    assert seen and set(seen) == {"2", "3"}


def test_a_time_limit_keeps_what_was_found_and_goes_on(served, tmp_path):
    path = tmp_path / "spin.py"
    path.write_text(SPIN)
    probe = {"file": str(path), "statement": "turn += 1", "capture": ["turn"], "maxHits": 2}
    first = look(served, scriptPath=str(path), probes=[probe], timeout=1500)
    assert first["state"] == "running" and first["truncated"] is True and len(first["rows"]) == 2
    again = served.ok("investigate", sessionId=first["sessionId"], timeout=300)
    assert again["probes"][0]["hits"] > first["probes"][0]["hits"] and len(again["rows"]) == 2
    served.ok("close_debug_session", sessionId=first["sessionId"])


def test_hold_stands_at_the_hit_and_goes_on_from_there(served, loop):
    probe = {"file": loop, "line": 5, "capture": ["number"], "condition": "number == 4"}
    stop = look(served, scriptPath=loop, probes=[probe], hold=True)
    assert stop["state"] == "paused" and stop["rows"][0]["values"]["number"] == "4"
    assert served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="total")["result"] == "6"
    assert served.go(stop)["exitCode"] == 0


@pytest.mark.parametrize("how", ["spawn", "fork"])
def test_child_processes_are_looked_at_too(served, tmp_path, how):
    path = tmp_path / "pool.py"
    path.write_text(POOL)
    probe = {
        "file": str(path),
        "statement": "square = number * number",
        "capture": ["number"],
        "condition": "number > 7",
    }
    told = look(served, scriptPath=str(path), args=[how], probes=[probe])
    assert sorted(row["values"]["number"] for row in told["rows"]) == ["8", "9"]
    assert told["exitCode"] == 0 and "[49, 64, 81]" in told["output"]


def test_an_attached_program_is_looked_at_and_left_running(served, tmp_path):
    path = tmp_path / "spin.py"
    path.write_text(SPIN)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    argv = [sys.executable, "-Xfrozen_modules=off", "-m", "debugpy", "--listen", str(port), str(path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as target:
        try:
            assert b"spinning" in target.stdout.readline()
            probe = {"file": str(path), "statement": "turn += 1", "capture": ["turn"], "maxHits": 3}
            for _ in ("first", "again"):
                session = served.ok("attach_to_process", port=port, stopOnEntry=False)["sessionId"]
                told = served.ok("investigate", sessionId=session, probes=[probe], timeout=1000)
                assert told["state"] == "running" and len(told["rows"]) == 3 and target.poll() is None
                served.ok("detach_from_process", sessionId=session)
        finally:
            target.kill()


def test_a_wrong_address_names_the_probe_and_runs_nothing(served, loop):
    told = served.call("investigate", scriptPath=loop, probes=[{"file": loop, "statement": "no such line"}])
    assert told["success"] is False and told["error"].startswith("probe 0:")
    assert served.ok("list_debug_sessions")["count"] == 0


def test_conditions_hit_counts_and_log_messages_compose(served, loop):
    here = {"file": loop, "statement": "total += number"}
    stop = served.ok(
        "start_debugging",
        scriptPath=loop,
        wait=40,
        breakpoints=[
            {**here, "condition": "number > 1", "hitCondition": "2"},
            {**here, "logMessage": "number={number} {nosuch}"},
            {"file": loop, "line": 6, "condition": "nosuch > 1"},
        ],
    )
    assert stop["lastStop"]["hitBreakpointIds"] == ["b1"] and "nosuch" in stop["warning"]
    assert served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="number")["result"] == "3"
    logged = {one["breakpointId"]: one["hits"] for one in served.ok("list_breakpoints")["breakpoints"]}
    assert logged == {"b1": 1, "b2": 4, "b3": 0}
    assert "number=3 {NameError: name 'nosuch' is not defined}" in stop["output"]
    later = served.go(stop)
    assert later["state"] == "stopped" and "nosuch" not in str(later.get("warning", "")), "told once"


def test_a_forked_child_counts_from_nothing(served, tmp_path):
    path = tmp_path / "forks.py"
    path.write_text(
        "import os\n\n\ndef work(number):\n    return number\n\n\nwork(1)\nwork(2)\nchild = os.fork()\nwork(3)\n"
        "if child:\n    os.waitpid(child, 0)\n"
    )
    told = look(served, scriptPath=str(path), probes=[{"file": str(path), "function": "work", "capture": ["number"]}])
    assert sorted(row["values"]["number"] for row in told["rows"]) == ["1", "2", "3", "3"]
    assert told["probes"][0]["hits"] == 4 and len({row["process"] for row in told["rows"]}) == 2


def test_a_program_without_a_free_descriptor_still_tells_its_hits(served, tmp_path):
    path = tmp_path / "full.py"
    path.write_text(
        "import os\nimport resource\n\ncount = len(os.listdir('/proc/self/fd')) - 1\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))\nfor number in range(3):\n    last = number\n"
    )
    here = {"file": str(path), "statement": "last = number"}
    stop = served.ok(
        "start_debugging",
        scriptPath=str(path),
        wait=40,
        breakpoints=[{**here, "logMessage": "number={number}"}, {**here, "condition": "number == 1"}],
    )
    assert stop["lastStop"]["hitBreakpointIds"] == ["b2"] and "number=1" in stop["output"]


def test_a_killed_program_has_told_every_row(served, tmp_path):
    path = tmp_path / "killed.py"
    path.write_text("import os\n\nfor number in range(300):\n    last = number\nos.kill(os.getpid(), 9)\n")
    probe = {"file": str(path), "statement": "last = number", "capture": ["number"], "condition": "number % 100 == 99"}
    told = look(served, scriptPath=str(path), probes=[probe])
    assert told["signal"] == "SIGKILL" and [row["values"]["number"] for row in told["rows"]] == ["99", "199", "299"]
    assert told["probes"][0]["conditionFalse"]["count"] == 297


SLOW = """\
import time


class Slow:
    def __repr__(self):
        time.sleep(30)
        return "never"


class Plain:
    def __repr__(self):
        return "plain"


rows = [[Slow(), number, Plain()] for number in range(4)]
for row in rows:
    print(row[1])
"""


def test_a_slow_repr_costs_a_capture_a_second_once(served, tmp_path):
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    probe = {"file": str(path), "statement": "print(row[1])", "capture": ["row", "row[1]"]}
    told = look(served, scriptPath=str(path), probes=[probe], timeout=20_000)
    shown = [row["values"]["row"] for row in told["rows"]]
    assert "did not end in time" in shown[0] and ", 0, plain]" in shown[0]
    assert all("slow: not run again" in text and text.endswith(f", {n}, plain]") for n, text in enumerate(shown[1:], 1))
    assert [row["values"]["row[1]"] for row in told["rows"]] == ["0", "1", "2", "3"]
    assert told["exitCode"] == 0 and told["output"].split() == ["0", "1", "2", "3"]
