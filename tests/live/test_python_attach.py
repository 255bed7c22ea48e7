"""Attaching to Python: by port, by connection to us, by process id; and two web frameworks."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import places
import pytest
from waits import until

from live.driver import driver, line_of

pytestmark = pytest.mark.live
QUIET = {**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def started(*argv, line=True):
    """A program of somebody else, killed at the end; its first line has been printed."""
    process = subprocess.Popen(
        [sys.executable, *map(str, argv)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=QUIET
    )
    try:
        process.first = process.stdout.readline() if line else ""
        yield process
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


async def session(d, *, file=None, line=None):
    made = (await d.ok("create_debug_session", language="python"))["sessionId"]
    if file is not None:
        await d.ok("set_breakpoint", sessionId=made, file=str(file), line=line)
    return made


async def test_a_port_is_joined_left_and_joined_again_and_a_second_client_is_refused(case):
    file, port = case("C69") / "server.py", free_port()
    async with driver() as d:
        with started(file, port) as program:
            first = await session(d, file=file, line=9)
            stop = await d.ok("attach_to_process", sessionId=first, port=port)
            assert stop["state"] == "paused" and stop["location"]["line"] == 9
            slow = {"sessionId": first, "expression": "time.sleep(9)", "timeout": 500}
            assert "was interrupted" in await d.refused("evaluate_expression", **slow)
            second = await session(d)
            assert "already being debugged" in await d.refused("attach_to_process", sessionId=second, port=port)
            await d.ok("close_debug_session", sessionId=first)
            assert program.stdout.readline().startswith("tick") and program.poll() is None
            again = await session(d)
            assert (await d.ok("attach_to_process", sessionId=again, port=port))["state"] == "paused"
            await d.ok("detach_from_process", sessionId=again)
            assert program.stdout.readline().startswith("tick")


async def test_a_program_that_waits_for_its_client_is_joined_at_its_first_line(case):
    file, port = case("C29") / "frames.py", free_port()
    async with driver() as d:
        command = ("-m", "debugpy", "--listen", f"127.0.0.1:{port}", "--wait-for-client", file)
        with started(*command, line=False) as program:
            await until(lambda: listens(port), 15)
            made = await session(d, file=file, line=3)
            assert (await d.ok("attach_to_process", sessionId=made, port=port))["location"]["line"] == 1
            assert (await d.ok("continue_execution", sessionId=made, wait=20))["location"]["line"] == 3
            await d.ok("close_debug_session", sessionId=made)
            assert program.wait(10) == 0


def listens(port):
    """Whether a port is listened on, without a connection: debugpy would take that for its client."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[1].endswith(f":{port:04X}") and row[3] == "0A" for row in rows)


async def test_a_program_can_connect_to_us(case):
    file = case("C29") / "frames.py"
    async with driver() as d:
        made = await session(d, file=file, line=3)
        listening = {"listen": {"host": "127.0.0.1", "port": 0}}
        told = await d.ok("attach_to_process", sessionId=made, adapterConfig=listening)
        assert told["state"] == "starting" and "--connect" in told["message"]
        where = told["message"].partition("--connect ")[2].split()[0]
        with started("-m", "debugpy", "--connect", where, "--wait-for-client", file, line=False) as program:
            stop = await d.ok("wait_for_stop", sessionId=made, timeout=20_000)
            assert stop["location"]["line"] == 3
            await d.ok("close_debug_session", sessionId=made)
            assert program.wait(10) == 0


@pytest.mark.parametrize(("mode", "words"), [("mute", "did not answer"), ("http", "not a debug adapter")])
async def test_another_protocol_on_the_port_is_told(case, mode, words):
    port = free_port()
    async with driver() as d:
        with started(case("C57") / "hold_port.py", port, mode):
            made = await session(d)
            told = await d.refused("attach_to_process", sessionId=made, port=port, timeout=1500)
            assert words in told and str(port) in told


async def test_a_port_without_a_listener_is_told_with_its_address():
    async with driver() as d:
        port = free_port()
        assert f"127.0.0.1:{port}" in await d.refused("attach_to_process", language="python", port=port)


async def test_wrong_path_mappings_are_told(tmp_path):
    source = "import debugpy, sys, time\ndebugpy.listen(int(sys.argv[1]))\nprint('up', flush=True)\nn = 0\n"
    source += "while n < 600:\n    n += 1\n    time.sleep(0.05)\n"
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(source)
    async with driver() as d:
        for remote, hit in (("there", True), ("nowhere", False)):
            port = free_port()
            with started(tmp_path / "there" / "app.py", port):
                made = await session(d, file=tmp_path / "here" / "app.py", line=6)
                pairs = [{"local": str(tmp_path / "here"), "remote": str(tmp_path / remote)}]
                more = {"sessionId": made, "port": port, "pathMappings": pairs, "stopOnEntry": False}
                await d.ok("attach_to_process", **more)
                told = await d.ok("wait_for_stop", sessionId=made, timeout=5000 if hit else 700)
                if hit:
                    assert told["location"]["file"] == str(tmp_path / "here" / "app.py")
                else:
                    assert told["state"] == "running" and "pathMappings" in told["message"]
                await d.ok("close_debug_session", sessionId=made)


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not here")
async def test_a_process_is_joined_by_its_id_and_runs_on(case):
    file = case("C68") / "plain_loop.py"
    async with driver() as d:
        with started(file) as program:
            made = await session(d, file=file, line=6)
            stop = await d.ok("attach_to_process", sessionId=made, processId=program.pid)
            assert stop["state"] == "paused"
            turn = int((await d.ok("evaluate_expression", sessionId=made, expression="turn"))["result"])
            await d.ok("close_debug_session", sessionId=made)
            assert program.poll() is None
            made = await session(d, file=file, line=6)
            await d.ok("attach_to_process", sessionId=made, processId=program.pid)
            later = (await d.ok("evaluate_expression", sessionId=made, expression="turn"))["result"]
            assert int(later) > turn


async def test_a_process_that_cannot_be_joined_is_refused_unharmed():
    async with driver() as d:
        for pid, words in ((4_000_000, "no process"), (os.getpid(), "debug server itself")):
            assert words in await d.refused("attach_to_process", language="python", processId=pid)
        sleeper = subprocess.Popen(["sleep", "60"])
        try:
            told = await d.refused("attach_to_process", language="python", processId=sleeper.pid)
            assert "no Python program" in told and sleeper.poll() is None
        finally:
            sleeper.kill()
            sleeper.wait(10)


async def served(d, file, url, *, reload, **launch):
    """Stop in a request that `wait_for_stop` makes, go on, and have its answer."""
    made = await session(d, file=file, line=line_of(file, "total = count * 25"))
    await d.ok("start_debugging", sessionId=made, wait=0.1, **launch)
    told = await d.ok("wait_for_stop", sessionId=made, timeout=30_000, trigger={"http": url})
    assert told["state"] == "paused", told
    assert {row["name"]: row["value"] for row in told["locals"]} == {"count": "4"}
    assert bool(told["lastStop"].get("process")) == reload
    told = await d.ok("continue_execution", sessionId=made)
    for _ in range(20):
        told = await d.ok("wait_for_stop", sessionId=made, timeout=500)
        if "triggerResult" in told:
            break
    assert told["triggerResult"]["status"] == 200 and "100" in told["triggerResult"]["body"]
    await d.ok("close_debug_session", sessionId=made)


async def test_flask_with_its_reloader_stops_in_a_request(tmp_path):
    pytest.importorskip("flask")
    file, port = Path(shutil.copy(places.FIXTURES / "python" / "flask_shop.py", tmp_path)), free_port()
    async with driver() as d:
        launch = {"scriptPath": str(file), "args": [str(port)]}
        await served(d, file, f"http://127.0.0.1:{port}/price/4", reload=True, **launch)


@pytest.mark.parametrize("reload", [False, True], ids=["plain", "reload"])
async def test_fastapi_under_uvicorn_stops_in_a_request(tmp_path, reload):
    pytest.importorskip("fastapi")
    file, port = Path(shutil.copy(places.FIXTURES / "python" / "fastapi_shop.py", tmp_path)), free_port()
    async with driver() as d:
        args = ["fastapi_shop:app", "--port", str(port), *(["--reload"] if reload else [])]
        launch = {"module": "uvicorn", "args": args, "cwd": str(tmp_path)}
        await served(d, file, f"http://127.0.0.1:{port}/price/4", reload=reload, **launch)
