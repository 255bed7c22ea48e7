"""Everything that we start ends with us, however we end; what we attached to lives on. Proved on the process table."""

import os
import signal
import subprocess
import sys
import time

import pytest
from fake_adapter import FOREVER, written
from pipe import Pipe
from processes import Server, alive, below, command_of, gone, marked, python, traced
from waits import until_blocking

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the process table of Linux"),
]

FAMILY = """
import os, subprocess, sys, time
word = sys.argv[1]
sleep = [sys.executable, "-c", "import time; time.sleep(600)", word]
subprocess.Popen(sleep)                                  # a child
subprocess.Popen(sleep, start_new_session=True)          # one in a session of its own
if os.fork() == 0:                                       # a daemon: forked twice
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, sleep)
    os._exit(0)
stubborn = "import signal, time\\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\\ntime.sleep(600)"
subprocess.Popen([sys.executable, "-c", stubborn, word])
stopped = subprocess.Popen(sleep)
os.kill(stopped.pid, 19)                                 # SIGSTOP
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def server():
    one = Server()
    yield one
    one.process.kill()
    one.process.wait(10)
    one.close()


@pytest.fixture
def family(server, tmp_path):
    """A program with children of every kind runs; its word on the command lines."""
    word = f"family-{os.getpid()}-{time.time_ns()}"
    (tmp_path / "family.py").write_text(FAMILY)
    server.ok(
        "start_debugging", scriptPath=str(tmp_path / "family.py"), args=[word], dapLaunchArgs={"subProcess": False}
    )
    assert server.printed() == ["ready"]
    until_blocking(lambda: len(marked(word)) >= 6, 10)
    return word


def test_closing_a_session_ends_the_program_and_all_its_children(server, family):
    server.ok("close_debug_session")
    assert marked(family) == []
    assert server.ok("list_debug_sessions")["count"] == 0


@pytest.mark.parametrize("end", ["input", "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"])
def test_the_servers_end_ends_all_that_it_started(server, family, end):
    ours = below(server.process.pid)
    assert len(ours) >= 3
    if end == "input":
        server.process.stdin.close()
    else:
        server.process.send_signal(getattr(signal, end))
    server.process.wait(15)
    gone(ours)
    until_blocking(lambda: marked(family) == [], 8)


def test_a_stopped_server_is_no_obstacle(server, family):
    """SIGSTOP, then SIGKILL: it had no chance to do anything."""
    ours = below(server.process.pid)
    server.process.send_signal(signal.SIGSTOP)
    server.process.kill()
    server.process.wait(10)
    gone(ours)
    until_blocking(lambda: marked(family) == [], 8)


def test_closing_one_session_touches_no_other(server, tmp_path):
    """The mark of session 1 is the beginning of that of session 10."""
    words = [f"many-{os.getpid()}-{n}-" for n in range(11)]
    (tmp_path / "wait.py").write_text("import time\nprint('on', flush=True)\ntime.sleep(600)\n")
    ids = []
    for word in words:
        ids.append(server.ok("create_debug_session", language="python")["sessionId"])
        server.ok("start_debugging", sessionId=ids[-1], scriptPath=str(tmp_path / "wait.py"), args=[word], wait=0)
    until_blocking(lambda: all(marked(word) for word in words), 40)
    server.ok("close_debug_session", sessionId=ids[0])
    assert not marked(words[0])
    assert all(marked(word) for word in words[1:])


def test_a_program_that_ignores_every_signal_is_killed_all_the_same(server, case):
    """Case C44: running, and again stopped at a breakpoint."""
    script = str(case("C44") / "stubborn.py")
    server.ok("start_debugging", scriptPath=script, wait=1)
    pid = int(server.printed(2)[1])
    server.ok("restart_debugging", wait=1)
    assert not alive(pid)
    again = int(server.printed(2)[1])
    assert again != pid
    began = time.monotonic()
    server.ok("close_debug_session")
    assert not alive(again) and time.monotonic() - began < 10
    told = server.ok("start_debugging", scriptPath=script, breakpoints=[{"file": script, "statement": "ready = 1"}])
    assert told["state"] == "paused"
    pid = int(server.printed(2)[1])
    server.ok("close_debug_session")
    assert not alive(pid)


def test_the_programs_children_go_with_it(server, case):
    """Case C38, at a breakpoint."""
    script = str(case("C38") / "leaves_children.py")
    server.ok(
        "start_debugging", scriptPath=script, breakpoints=[{"file": script, "statement": "ready = True"}], wait=20
    )
    kids = [int(pid) for pid in server.printed(3)[1:3]]
    assert all(alive(pid) for pid in kids)
    server.ok("close_debug_session")
    until_blocking(lambda: not any(alive(pid) for pid in kids))


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("exit7", {"exitCode": 7}),
        ("_exit9", {"exitCode": 9}),
        ("segv", {"signal": "SIGSEGV"}),
        ("kill", {"signal": "SIGKILL"}),
        ("term", {"signal": "SIGTERM"}),
        ("abort", {"signal": "SIGABRT"}),
        ("thread", {"exitCode": 0}),
    ],
)
def test_how_a_program_died_is_told_by_its_name(server, case, how, expected):
    """Case C43: a signal has a name and no code."""
    script = str(case("C43") / "deaths.py")
    told = server.ok("start_debugging", scriptPath=script, args=[how], wait=20)
    if how == "thread":
        assert told["state"] == "paused" and "in a thread" in str(told["lastStop"])
        told = server.ok("continue_execution", wait=True)
    elif told["state"] == "paused":  # `sys.exit(7)` is an end, not a crash
        raise AssertionError(told)
    assert told["state"] == "stopped"
    assert {key: told[key] for key in ("exitCode", "signal") if key in told} == expected


@pytest.mark.parametrize("end", ["detach", "close", "input", "SIGTERM", "SIGKILL"])
def test_what_we_attached_to_lives_on_resumed_and_untraced(server, end):
    code = (
        "import debugpy, os, time\n"
        "host, port = debugpy.listen(('127.0.0.1', 0))\n"
        "print(port, flush=True)\n"
        # By the descriptor: one attach in ten kills a 3.11 that is just in debugpy's own `sys.stdout` (1.8.22).
        "n = 0\n"
        "while True:\n    n += 1\n    os.write(1, b'tick')\n    time.sleep(0.05)\n"
    )
    target = python(code)
    try:
        port = int(target.stdout.readline())
        told = server.ok("attach_to_process", language="python", port=port)
        assert told["state"] == "paused", told
        match end:
            case "detach":
                server.ok("detach_from_process")
            case "close":
                server.ok("close_debug_session")
            case "input":
                server.process.stdin.close()
                server.process.wait(15)
            case _:
                server.process.send_signal(getattr(signal, end))
                server.process.wait(15)
        printed = _reader(target)
        printed()  # what it said while it was ours
        seen = []
        until_blocking(lambda: seen.append(printed()) or b"".join(seen).count(b"tick") > 3, 10)
        assert target.poll() is None and not traced(target.pid)
    finally:
        target.kill()
        target.wait(10)
        target.stdout.close()
        target.stderr.close()


def _reader(process):
    """Read what a process has printed since the last time, without waiting."""
    os.set_blocking(process.stdout.fileno(), False)

    def read():
        try:
            return os.read(process.stdout.fileno(), 1 << 16)
        except BlockingIOError:
            return b""

    return read


def test_an_adapter_that_is_stopped_by_a_signal_costs_its_limit_and_no_more(server, tmp_path):
    script = written(tmp_path)
    places = [{"file": script, "statement": "n = n + 1"}]
    server.ok("start_debugging", language="mock", scriptPath=script, breakpoints=places)
    (adapter,) = [pid for pid in below(server.process.pid) if "mock" in command_of(pid)]
    os.kill(adapter, signal.SIGSTOP)
    began = time.monotonic()
    refused = server.refused("evaluate_expression", expression="total", timeout=1000)
    assert refused["code"] == "time-limit" and time.monotonic() - began < 9
    server.ok("close_debug_session")
    assert not alive(adapter)


FAULTS = ["dies", "dies-half-way", "dies-after", "is-stopped", "huge-header", "garbage-body", "not-json-rpc", "floods"]
AT = ["initialize", "launch", "stackTrace", "continue"]


@pytest.mark.parametrize("deed", FAULTS)
def test_no_process_is_left_of_an_adapter_that_misbehaves(server, tmp_path, deed):
    """The cells of tests/chaos that need a real process: pipes, signals and exits."""
    script = written(tmp_path)
    for step in AT:
        if deed == "is-stopped" and step in ("initialize", "launch"):
            continue  # costs ten seconds each; in virtual time they cost nothing
        places = [{"file": script, "statement": "n = n + 1"}]
        asked = {"scriptPath": script, "breakpoints": places, "adapterLaunchConfig": {"fault": f"{step}:{deed}"}}
        id = server.start("tools/call", {"name": "start_debugging", "arguments": {"language": "mock", **asked}})
        result = server.answer(id, 50)["result"]["structuredContent"]
        assert result["success"] or result["code"] in ("protocol", "adapter"), result
        for row in server.ok("list_debug_sessions").get("sessions", []):
            if step == "continue" and row["state"] == "paused":
                id = server.start("tools/call", {"name": "continue_execution", "arguments": {"sessionId": row["id"]}})
                server.answer(id, 50)
            server.ok("close_debug_session", sessionId=row["id"])
        until_blocking(lambda: not [pid for pid in below(server.process.pid) if "mock" in command_of(pid)], 8)


def test_a_port_where_nobody_listens_is_refused_at_once(server):
    """Case C57."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    began = time.monotonic()
    refused = server.refused("attach_to_process", language="python", port=port)
    assert f"127.0.0.1:{port}" in refused["error"] and time.monotonic() - began < 15


@pytest.mark.parametrize("mode", ["mute", "http"])
def test_a_port_that_is_no_debuggers_is_told_in_bounded_time(server, case, mode):
    """Case C57."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    holder = subprocess.Popen(
        [sys.executable, str(case("C57") / "hold_port.py"), str(port), mode], stdout=subprocess.PIPE
    )
    try:
        holder.stdout.readline()
        began = time.monotonic()
        refused = server.refused("attach_to_process", language="python", port=port, timeout=2000)
        assert time.monotonic() - began < 16, refused
        assert refused["code"] in ("protocol", "adapter"), refused
        assert "answer" in refused["error"] or "debug" in refused["error"].lower(), refused
    finally:
        holder.kill()
        holder.wait(10)
        holder.stdout.close()


def test_two_sessions_at_once_both_reach_their_stops(server, case):
    """Cases C57 and C60: a breakpoint in one session stops that one alone, and closing it touches the other not."""
    folder = case("C60")
    script = str(folder / "which.py")
    a = server.ok("create_debug_session", language="python", name="A")["sessionId"]
    b = server.ok("create_debug_session", language="python", name="B")["sessionId"]
    place = {"file": script, "statement": "step = (who, k)"}
    server.ok("set_breakpoint", sessionId=a, **place)
    calls = [
        server.start("tools/call", {"name": "start_debugging", "arguments": arguments})
        for arguments in (
            {"sessionId": a, "scriptPath": script, "args": ["A", str(folder)], "wait": 30},
            {"sessionId": b, "scriptPath": script, "args": ["B", str(folder)], "wait": 30},
        )
    ]
    told = [server.answer(id, 50)["result"]["structuredContent"] for id in calls]
    assert told[0]["state"] == "paused"
    assert told[1]["state"] == "stopped" and told[1]["exitCode"] == 0
    assert (folder / "out-B.txt").exists() and not (folder / "out-A.txt").exists()
    assert "A" not in "".join(e["output"] for e in server.ok("get_output", sessionId=b).get("entries", []))
    server.ok("set_breakpoint", sessionId=b, **place)
    assert server.ok("restart_debugging", sessionId=b, wait=30)["state"] == "paused"
    server.ok("close_debug_session", sessionId=a)
    server.ok("clear_breakpoints", sessionId=b)
    assert server.ok("continue_execution", sessionId=b, wait=True)["exitCode"] == 0


def test_a_restart_after_a_crash_keeps_everything_and_takes_the_edited_file(server, case):
    """Case C58."""
    folder = case("C58")
    script = folder / "app.py"
    script.write_text((folder / "crashy.py").read_text())
    place = {"file": str(script), "statement": "total += 6 // n", "condition": "n < 3"}
    told = server.ok("start_debugging", scriptPath=str(script), breakpoints=[place], env={"MODE": "x"}, wait=30)
    assert told["state"] == "paused"
    while told["state"] == "paused" and told["lastStop"]["reason"] == "breakpoint":
        told = server.ok("continue_execution", wait=True)
    assert told["lastStop"]["reason"] == "exception" and "ZeroDivision" in str(told["lastStop"])
    before = server.ok("list_breakpoints")["breakpoints"]
    script.write_text((folder / "crashy_fixed.py").read_text())
    for _ in range(2):
        told = server.ok("restart_debugging", wait=30)
        stops = 0
        while told["state"] == "paused":
            assert told["lastStop"]["reason"] == "breakpoint"
            stops += 1
            told = server.ok("continue_execution", wait=True)
        assert (told["state"], told["exitCode"], stops) == ("stopped", 0, 2)
        after = server.ok("list_breakpoints")["breakpoints"]
        assert [row["breakpointId"] for row in after] == [row["breakpointId"] for row in before]
        assert "total 11" in "".join(e["output"] for e in server.ok("get_output").get("entries", []))


def test_bad_lines_leave_a_paused_session_as_it_was(server, case, tmp_path):
    """Case C64: each line with an id gets exactly one answer, and the server lives on."""
    import json

    script = written(tmp_path)
    places = [{"file": script, "statement": "n = n + 1"}]
    server.ok("start_debugging", language="mock", scriptPath=script, breakpoints=places)
    lines = (case("C64") / "bad_lines.jsonl").read_bytes().splitlines()
    ids = []
    for line in lines:
        server.raw(line)
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and "id" in message and "method" in message:
            ids.append(message["id"])
    for id in ids:
        told = server.answer(id, 10)
        assert "error" in told or "result" in told, told
    assert server.ask("tools/list")["result"]["tools"]
    assert server.ok("evaluate_expression", expression="total")["result"] == "30"


def test_a_long_call_tells_progress_and_a_cancelled_one_leaves_the_stop_to_the_next(server, case):
    """Case C62, with the sleep cut to what the limits need."""
    script = str(case("C62") / "longcall.py")
    places = [{"file": script, "statement": 'mark = "before"'}, {"file": script, "statement": 'mark = "after"'}]
    server.ok("start_debugging", scriptPath=script, args=["14"], breakpoints=places, wait=30)
    server.ok("step_over")
    began = time.monotonic()
    step = server.ok("step_over")
    assert step["pending"] and step["state"] == "running" and time.monotonic() - began < 8
    asked = {"name": "wait_for_stop", "arguments": {"timeout": 120_000}}
    waiting = server.start("tools/call", asked, meta={"progressToken": "p"})
    note = server.notes.get(timeout=10)
    while note["method"] != "notifications/progress":
        note = server.notes.get(timeout=10)
    server.send({"method": "notifications/cancelled", "params": {"requestId": waiting}})
    stop = server.ok("wait_for_stop", timeout=40_000)
    assert stop["state"] == "paused" and stop["content"].startswith('mark = "after"')


def test_a_server_that_never_debugged_leaves_nothing_behind():
    one = Pipe("serve.py")
    one.handshake()
    ours = below(one.process.pid)
    one.process.stdin.close()
    assert one.process.wait(10) == 0
    gone(ours)
    one.close()


def test_a_running_program_of_the_toy_language_ends_with_the_server(server, tmp_path):
    told = server.ok("start_debugging", language="mock", scriptPath=written(tmp_path, FOREVER), wait=0)
    ours = below(server.process.pid)
    assert told["state"] == "running" and ours
    server.process.kill()
    server.process.wait(10)
    gone(ours)
