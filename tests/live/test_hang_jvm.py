"""Why a JVM program does not move: monitors, locks, tasks and busy loops, for real."""

import subprocess
from pathlib import Path

import pytest
from dap import line_of
from jvm_programs import build

pytestmark = [pytest.mark.live, pytest.mark.needs("javac"), pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def hang(tmp_path_factory):
    return build("Hang.java", tmp_path_factory.mktemp("hang"))


@pytest.fixture
def explained(served, hang):
    """Start the fixture one way and ask why it does not move, until the answer says what it must."""

    def explain(way, verdict, **config):
        told = served.ok(
            "start_debugging",
            scriptPath=hang.source,
            language="java",
            args=[way],
            adapterLaunchConfig={"mainClass": "Hang", "classpath": [hang.classes], **config},
            wait=1,
        )
        session = told["sessionId"]
        for _ in range(10):
            told = served.ok("explain_hang", sessionId=session)
            if told["verdict"].startswith(verdict):
                return told, {row["name"]: row for row in told["threads"]}
            served.ok("wait_for_stop", sessionId=session, timeout=500)
        raise AssertionError(told)

    return explain


def test_a_deadlock_of_monitors_is_named_by_the_names_of_the_locks(explained, hang):
    told, rows = explained("monitors", "deadlock:")
    place = f"Hang.java:{line_of(hang.source, '// wants')}"
    assert f"one waits at {place} for monitor `Hang.right (Object@" in told["verdict"]
    assert "held by two as `Hang.right (Object@" in told["verdict"], told
    assert rows["one"]["state"] == "blocked" and rows["one"]["waits"].endswith("held by two")
    assert rows["main"]["waits"] == "thread to end, which is one"
    assert "Signal Dispatcher" not in rows and "Finalizer" not in rows


def test_a_deadlock_of_explicit_locks_is_named_too(explained, hang):
    told, rows = explained("locks", "deadlock:")
    assert "lock `Hang.second (ReentrantLock@" in told["verdict"] and "held by two" in told["verdict"], told
    assert rows["two"]["holds"].startswith("`Hang.second (ReentrantLock@")


def test_a_busy_loop_of_java_is_told_from_a_wait_and_a_paused_one_as_paused(served, explained):
    told, rows = explained("spin", "busy, not waiting: main at Hang.spin Hang.java:")
    assert "it ran code at each of 3 looks" in told["verdict"] and "waits" not in rows["main"]
    served.ok("pause_execution", sessionId=told["sessionId"])
    told = served.ok("explain_hang", sessionId=told["sessionId"])
    assert "the program is paused, and these ran when it was: main at Hang.spin" in told["verdict"]


@pytest.mark.parametrize(
    ("way", "waits"),
    [
        ("read", "native call FileInputStream.readBytes"),
        ("notify", "notification on Hang.left (Object@"),
        ("sleep", "sleep"),
    ],
)
def test_a_wait_is_told_by_what_is_waited_for(explained, way, waits):
    told, rows = explained(way, "no cycle was found, and nothing is busy")
    assert rows["main"]["waits"].startswith(waits), told


NEWEST = Path("/usr/lib/jvm/temurin-25-jdk-amd64/bin/java")


@pytest.mark.skipif(not NEWEST.exists(), reason="JDK 25 is not installed beside the default one")
def test_a_deadlock_of_virtual_threads_is_named_where_the_jvm_lists_them(explained):
    told, _ = explained("virtual", "deadlock:", javaPath=str(NEWEST), virtualThreads=True)
    assert "light one waits at" in told["verdict"] and "held by light two" in told["verdict"], told
    assert "note" not in told


def test_a_pool_that_waits_for_its_own_next_task_is_told(explained):
    told, rows = explained("starve", "no cycle was found, and nothing is busy")
    assert "which no thread runs yet" in rows["pool"]["waits"], told
    assert rows["main"]["waits"].startswith("result of outer (FutureTask@") and rows["main"]["waits"].endswith("pool")


def test_a_jvm_that_waits_for_ever_is_paused_when_it_is_joined(served, hang):
    argv = ["java", "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0", "-cp", hang.classes]
    target = subprocess.Popen([*argv, "Hang", "notify"], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
    try:
        port = int(target.stdout.readline().rpartition(":")[2])
        while True:  # the JVM listens before it runs anything
            told = served.ok("create_debug_session", language="java", port=port)
            assert told["state"] == "paused" and told["lastStop"]["reason"] == "pause", told
            if told["location"]["function"] == "Hang.main":
                break
            served.ok("close_debug_session", sessionId=told["sessionId"])
        assert served.ok("get_stack_trace", sessionId=told["sessionId"])["stackFrames"]
    finally:
        target.kill()
        target.communicate()


def test_a_thread_that_stands_at_a_stop_of_its_own_is_not_called_busy(served, hang):
    place = {"file": hang.source, "line": line_of(hang.source, "// spins"), "suspendPolicy": "thread"}
    config = {"mainClass": "Hang", "classpath": [hang.classes]}
    stop = served.run("java", place, scriptPath=hang.source, args=["spin"], adapterLaunchConfig=config)
    told = served.ok("explain_hang", sessionId=stop["sessionId"])
    (main,) = [row for row in told["threads"] if row["name"] == "main"]
    assert main["state"] == "paused" and "busy, not waiting" not in told["verdict"], told
