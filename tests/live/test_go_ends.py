"""How Go programs end, or are let go of: panics, signals, a killed Delve, a server that goes away, core files."""

import asyncio
import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from waits import until

from live.driver import driver, line_of
from live.gophers import started
from live.served import Served

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]


def built(folder: Path, *flags: str) -> str:
    program = str(folder / "program")
    subprocess.run(["go", "build", *flags, "-o", program, "."], cwd=folder, check=True, timeout=100)
    return program


DEBUGGABLE = "-gcflags=all=-N -l"


def running(program: str) -> list[int]:
    """The processes that run a program."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "exe").readlink() == Path(program):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def spent(pid: int) -> int:
    """Processor time that a process has used, in ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


def tracer(pid: int) -> str:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(line.split()[1] for line in status.splitlines() if line.startswith("TracerPid"))


@pytest.mark.parametrize(
    ("how", "function", "what", "text"),
    [
        ("panic", "main.main", "panic", "problem 7"),
        ("nil", "main.main", "panic", "nil pointer dereference"),
        ("store", "main.store", "panic", "assignment to entry in nil map"),
        ("again", "main.main.func1", "panic", "again: problem 8"),
        ("maps", "main.maps.func1", "fatal error", "concurrent map"),
        ("stack", "main.deep", "fatal error", "stack overflow"),
        ("memory", "main.main", "fatal error", "out of memory"),
        ("asleep", "main.asleep", "fatal error", "all goroutines are asleep"),
    ],
)
async def test_what_ends_a_program_stops_in_the_user_s_frame(program, how, function, what, text):
    async with started(program("go/ends"), args=[how]) as (_, stop):
        assert stop["stopReason"] == "exception" and text in stop["lastStop"]["text"]
        assert stop["location"]["function"] == function
        told = stop["lastStop"]["exceptionInfo"]
        assert told["exceptionId"] == what and told["breakMode"] == "unhandled" and text in told["description"]
        assert told["details"]["userFrames"][0]["function"] == function


@pytest.mark.needs("gcc")
async def test_a_data_race_is_told_with_the_program_s_places_whatever_it_printed_since(program):
    folder = program("go/ends")
    main = folder / "main.go"
    async with started(folder, args=["race"], adapterLaunchConfig={"buildFlags": "-race"}) as (_, stop):
        assert stop["state"] == "stopped" and stop["exitCode"] == 66
        places = {f"main.go:{line_of(main, text)} (main.race" for text in ("first of the map", "second of the map")}
        assert "data race: " in stop["warning"] and all(place in stop["warning"] for place in places)
        assert "internal/runtime" not in stop["warning"]


async def test_a_recovered_panic_stops_nothing_and_a_signal_is_named(program):
    async with started(program("go/ends"), args=["recovered"]) as (go, stop):
        assert stop["state"] == "stopped" and stop["exitCode"] == 0
        assert "recovered: bad day" in await go.printed("stdout") and await go.printed("stderr") == "err\n"
    async with started(program("go/ends"), args=["kill"]) as (_, stop):
        assert stop["signal"] == "SIGKILL" and "exitCode" not in stop


@pytest.mark.skipif(os.name != "posix", reason="reads /proc")
async def test_the_program_does_not_outlive_a_killed_delve(program):
    path = built(program("go/hang"), DEBUGGABLE)
    async with driver() as go:
        await go.ok("start_debugging", language="go", scriptPath=path, args=["spin"], wait=2)
        assert running(path)
        (session,) = go.sessions
        os.kill(session.adapter_process.pid, signal.SIGKILL)
        told = await go.ok("wait_for_stop", timeout=20_000)
        assert told["state"] == "error" and "the debugger ended" in told["error"]
        await until(lambda: not running(path))


async def test_a_process_that_was_attached_to_runs_on_untraced(program):
    path = built(program("go/hang"), DEBUGGABLE)
    target = subprocess.Popen([path, "spin"], stdout=subprocess.DEVNULL)
    try:
        async with driver() as go:
            stop = await go.ok("attach_to_process", language="go", processId=target.pid)
            assert stop["state"] == "paused" and stop["location"]["file"].endswith("main.go")
            await go.ok("detach_from_process")
            assert target.poll() is None and tracer(target.pid) == "0"
    finally:
        target.kill()
        target.wait()


@pytest.mark.skipif(os.name != "posix", reason="reads /proc")
async def test_a_process_that_was_attached_to_outlives_a_killed_server_with_its_breakpoints_gone(program):
    path = built(program("go/hang"), DEBUGGABLE)
    main = str(Path(path).parent / "main.go")
    target = subprocess.Popen([path, "spin"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = Served(str(Path(path).parent))
    try:
        await until(lambda: spent(target.pid) > 5, 20)
        server.ok("attach_to_process", language="go", processId=target.pid)
        server.ok("set_breakpoint", file=main, statement="turns = n // each turn")
        stop = server.ok("continue_execution", wait=20)
        assert stop["stopReason"] == "breakpoint" and tracer(target.pid) != "0"
        server.process.kill()
        await until(lambda: tracer(target.pid) == "0", 20)
        before = spent(target.pid)
        await until(lambda: spent(target.pid) > before + 20 or target.poll() is not None, 20)
        assert target.poll() is None, "a breakpoint was left in it"
    finally:
        server.process.kill()
        server.close()
        target.kill()
        target.wait()


async def test_a_headless_delve_is_joined_left_joined_again_and_missed(program):
    path = built(program("go/hang"), DEBUGGABLE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    listen = f"--listen=127.0.0.1:{port}"
    command = ["dlv", "exec", "--headless", "--accept-multiclient", "--continue", listen, path, "--", "spin"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await asyncio.to_thread(listening, port)
        await until(lambda: any(spent(pid) > 20 for pid in running(path)), 20)  # past its start
        async with driver() as go:
            stop = await go.ok("attach_to_process", language="go", port=port)
            assert stop["state"] == "paused" and stop["location"]["file"].endswith("main.go")
            await go.ok("detach_from_process")
            assert server.poll() is None and running(path)
            again = await go.ok("attach_to_process", language="go", port=port, stopOnEntry=False)
            assert again["state"] == "running"
            server.kill()
            gone = await go.ok("wait_for_stop", sessionId=again["sessionId"], timeout=20_000)
            assert gone["state"] in ("stopped", "error") and "hung up" in str(gone)
    finally:
        server.kill()
        server.wait()
        for pid in running(path):
            os.kill(pid, signal.SIGKILL)


def listening(port: int) -> None:
    """Wait until Linux has a socket that listens there, without connecting: Delve serves its first client alone."""
    wanted = f":{port:04X} 00000000:0000 0A"
    for _ in range(200):
        if wanted in Path("/proc/net/tcp").read_text():
            return
        subprocess.run(["sleep", "0.1"], check=True)
    raise AssertionError(f"nothing listens on {port}")


@pytest.mark.needs("gdb")
async def test_a_core_file_is_looked_at_and_never_runs(program, tmp_path):
    path = built(program("go/hang"), DEBUGGABLE)
    target = subprocess.Popen([path, "spin"], stdout=subprocess.DEVNULL)
    try:
        made = subprocess.run(["gcore", "-o", str(tmp_path / "core"), str(target.pid)], capture_output=True)
    finally:
        target.kill()
        target.wait()
    core = tmp_path / f"core.{target.pid}"
    if made.returncode != 0 or not core.is_file():
        pytest.skip(f"gcore made no core file: {made.stderr.decode()[-200:]}")
    async with driver() as go:
        stop = await go.ok("start_debugging", language="go", scriptPath=path, coreFile=str(core), wait=30)
        assert stop["state"] == "paused" and "core" in str(stop["lastStop"])
        assert stop["location"]["file"].endswith("main.go")
        assert "core file" in await go.refused("step_over")


@pytest.mark.skipif(os.name != "posix", reason="core files of Linux")
async def test_a_core_file_of_a_crash_tells_what_the_program_died_of(program, tmp_path):
    path, other = built(program("go/ends"), DEBUGGABLE), built(program("go/hang"), DEBUGGABLE)
    limited = ["bash", "-c", 'ulimit -c unlimited; exec "$0" "$@"', path, "store"]
    crash = {**os.environ, "GOTRACEBACK": "crash"}
    await asyncio.to_thread(subprocess.run, limited, cwd=tmp_path, env=crash, capture_output=True, timeout=60)
    cores = list(tmp_path.glob("core*"))
    if not cores:
        pytest.skip("the system leaves no core file in a program's folder (kernel.core_pattern, ulimit)")
    async with driver() as go:
        stop = await go.ok("start_debugging", language="go", scriptPath=path, coreFile=str(cores[0]), wait=30)
        told = stop["lastStop"]["exceptionInfo"]
        assert told["exceptionId"] == "panic" and "nil map" in told["description"] and told["breakMode"] == "unhandled"
        assert stop["location"]["function"] == "main.store"
        assert {"name": "key", "value": '"a"', "type": "string"} in stop["locals"]
        stop = await go.ok("start_debugging", language="go", scriptPath=other, coreFile=str(cores[0]), wait=30)
        assert "this build of it, that left the core file?" in stop["warning"]
