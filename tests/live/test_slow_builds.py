"""Builds that take longer than a call, through the tools: told, joined, cancelled, and gone with the server."""

import asyncio
import json
import os
import shutil
import signal
import sys
import time

import msgspec
import pytest
from processes import Server, alive, below, command_of, gone
from waits import until, until_blocking

from dapwright.policy.settings import Rule
from dapwright.tools.answers import answer
from dapwright.tools.caller import Caller
from dapwright.tools.evidence import Table, TestAnswer
from live.driver import driver
from live.served import SECONDS

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="slow steps are shell, processes are Linux's"),
]
BOUND = 2.0
"""Seconds that an impatient call has."""

C = "int twice(int n) {\n    int r = 2 * n;\n    return r;\n}\nint main(void) {\n    return twice(4);\n}\n"
MAKE = """app: main.c
\t@echo $$$$ >> begun.txt; echo configuring; until [ -e gate ]; do sleep 0.05; done
\t$(CC) -g -o app main.c
"""
CMAKE = """cmake_minimum_required(VERSION 3.13)
project(app C)
add_custom_target(slow ALL COMMAND sh slow.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_executable(app main.c)
add_dependencies(app slow)
"""
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
SLOW_RS = """fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    while !std::path::Path::new("gate").exists() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
"""
RS = "pub fn twice(n: i32) -> i32 {\n    n + n + 1\n}\n\n#[test]\nfn doubles() {\n    assert_eq!(twice(4), 8);\n}\n"


async def impatient(one, tool, **arguments):
    """Call a tool that has `BOUND` seconds instead of 50: its answer, and what progress told."""
    told = []
    caller = Caller(sessions=one.sessions, settings=one.settings, tell=told.append)
    said = await answer(caller, tool, arguments, ceiling=BOUND)
    assert not said.is_error, said.text
    return said, told


@pytest.fixture
def project(tmp_path):
    """A Makefile whose one step waits for the file `gate`."""
    if shutil.which("make") is None or shutil.which("gcc") is None:
        pytest.skip("needs make and gcc")
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "main.c").write_text(C)
    (folder / "Makefile").write_text(MAKE)
    return folder


def begun(folder):
    """The shells of the builds that were begun."""
    log = folder / "begun.txt"
    return [int(word) for word in log.read_text().split()] if log.exists() else []


@pytest.mark.needs("gdb")
async def test_a_launch_is_told_as_building_and_goes_on_by_itself(project):
    place = {"file": str(project / "main.c"), "statement": "return r;"}
    async with driver() as one:
        said, told = await impatient(one, "start_debugging", language="c", scriptPath=str(project), breakpoints=[place])
        assert said.structured["state"] == "starting" and "still building" in said.structured["message"]
        assert "last line `configuring`" in said.text and any("still building" in line for line in told)
        (project / "gate").touch()
        stop = await one.ok("wait_for_stop", timeout=40_000)
        assert stop["content"] == "return r;" and len(begun(project)) == 1


@pytest.mark.needs("gdb")
async def test_an_investigation_waits_on_for_its_build(project):
    probe = {"file": str(project / "main.c"), "statement": "return r;", "capture": ["r"]}
    async with driver() as one:
        said, _ = await impatient(one, "investigate", language="c", scriptPath=str(project), probes=[probe])
        assert said.structured["pending"] and "still building" in said.structured["message"]
        (project / "gate").touch()
        table = await one.ok("investigate", sessionId=said.structured["sessionId"])
        assert table["rows"][0]["values"] == {"r": "8"} and len(begun(project)) == 1


@pytest.mark.needs("gdb")
async def test_a_trace_is_asked_for_again_and_joins_its_build(project):
    target = {"language": "c", "scriptPath": str(project), "focus": ["twice"]}
    async with driver() as one:
        said, _ = await impatient(one, "trace_calls", **target)
        assert said.structured["state"] == "building" and "make the same call again" in said.text
        (listed,) = (await one.ok("list_debug_sessions"))["builds"]
        assert listed["id"] == said.structured["sessionId"] and "make" in listed["command"]
        assert "is a build" in await one.refused("wait_for_stop", sessionId=listed["id"])
        (project / "gate").touch()
        assert "twice(n=4) -> 8" in (await one.ok("trace_calls", **target))["tree"]
        assert len(begun(project)) == 1 and "builds" not in await one.ok("list_debug_sessions")


@pytest.mark.needs("gdb")
async def test_a_build_is_cancelled_by_its_id(project):
    target = {"language": "c", "scriptPath": str(project), "focus": ["twice"]}
    async with driver() as one:
        said, _ = await impatient(one, "trace_calls", **target)
        (shell,) = begun(project)
        assert alive(shell)
        closed = await one.ok("close_debug_session", sessionId=said.structured["sessionId"])
        assert closed["state"] == "closed"
        await until(lambda: not alive(shell))


@pytest.mark.needs("gdb", "cmake")
async def test_a_cmake_project_whose_build_takes_several_calls(tmp_path):
    (tmp_path / "main.c").write_text(C)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "slow.sh").write_text("until [ -e gate ]; do sleep 0.05; done\n")
    target = {"language": "c", "scriptPath": str(tmp_path), "focus": ["twice"]}
    async with driver() as one:
        for _ in range(8):  # a busy machine may need a call for the first step, too
            said, _ = await impatient(one, "trace_calls", **target)
            if "--build" in said.structured["build"]["command"]:
                break
        (tmp_path / "gate").touch()
        assert "twice(n=4) -> 8" in (await one.ok("trace_calls", **target))["tree"]


@pytest.mark.needs("gdb")
async def test_two_launches_of_one_source_share_its_compiler(tmp_path):
    source = tmp_path / "main.c"
    source.write_text(C + f"/* {tmp_path} */\n")
    launch = {"language": "c", "scriptPath": str(source), "wait": 30}
    async with driver() as one:
        for end in await asyncio.gather(*(one.ok("start_debugging", **launch) for _ in range(3))):
            assert end["state"] == "stopped" and end["exitCode"] == 8, end


@pytest.mark.needs("gdb")
async def test_a_cancelled_restart_ends_its_build_and_keeps_its_session(project):
    (project / "gate").touch()
    async with driver() as one:
        await one.ok("start_debugging", language="c", scriptPath=str(project), wait=30)
        (project / "gate").unlink()
        (project / "app").unlink()
        call = asyncio.ensure_future(one.call("restart_debugging"))
        shell = (await until(lambda: pids if len(pids := begun(project)) == 2 else None, 20))[1]
        call.cancel()
        await asyncio.wait([call])
        await until(lambda: not alive(shell))
        (session,) = one.sessions
        assert session.state == "stopped" and not list(one.sessions.builds)
        (project / "gate").touch()
        assert (await one.ok("restart_debugging", wait=30))["exitCode"] == 8


async def test_a_configurations_task_outlasts_the_call_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.py").write_text("print(open('built').read())\n")
    (tmp_path / ".vscode").mkdir()
    slow = "echo working; until [ -e gate ]; do sleep 0.05; done; echo made >> built"
    task = {"label": "make it", "type": "shell", "command": slow}
    one = {"name": "go", "type": "debugpy", "request": "launch", "program": "main.py", "preLaunchTask": "make it"}
    (tmp_path / ".vscode" / "launch.json").write_text(json.dumps({"configurations": [one]}))
    (tmp_path / ".vscode" / "tasks.json").write_text(json.dumps({"tasks": [task]}))
    async with driver(approve=(Rule("allow", "*"),)) as served:
        said, _ = await impatient(served, "start_debugging", configuration="go")
        assert said.structured["state"] == "building" and "last line `working`" in said.text
        (tmp_path / "gate").touch()
        end = await served.ok("start_debugging", configuration="go", wait=30)
        assert end["state"] == "stopped" and "made" in end["output"]
        assert (tmp_path / "built").read_text() == "made\n"


@pytest.mark.needs("cargo", "gdb")
async def test_a_failing_rust_test_whose_build_takes_two_calls(tmp_path):
    (tmp_path / "src").mkdir()
    for name, text in {"Cargo.toml": CARGO, "build.rs": SLOW_RS, "src/lib.rs": RS}.items():
        (tmp_path / name).write_text(text)
    asked = {"test": "doubles", "language": "rust", "cwd": str(tmp_path)}
    async with driver() as one:
        said, _ = await impatient(one, "debug_test", **asked)
        assert said.structured["state"] == "building" and "cargo test --no-run" in said.text
        assert said.structured["sessionId"] == said.structured["build"]["id"]
        msgspec.convert(said.structured, TestAnswer)
        probe = {"file": str(tmp_path / "src/lib.rs"), "statement": "n + n + 1", "capture": ["n"]}
        looked, _ = await impatient(one, "investigate", **asked, probes=[probe])
        table = msgspec.convert(looked.structured, Table)
        assert (table.session_id, table.state, table.rows) == (said.structured["sessionId"], "building", [])
        again = asyncio.ensure_future(one.call("debug_test", **asked))
        await until(lambda: [build for build in one.sessions.builds if build.waiting], 20)
        (tmp_path / "gate").touch()
        stop = await again
        assert "left: 9" in stop["failure"]["message"].replace("`", ""), stop
        assert stop["state"] == "paused"


@pytest.mark.needs("go")
async def test_the_go_toolchains_children_end_with_a_cancelled_call(program, tmp_path):
    slow, log = tmp_path / "slow", tmp_path / "pids"
    slow.write_text(f"#!/bin/sh\necho $$ >> {log}\nsleep 600\n")
    slow.chmod(0o755)
    flags = {"buildFlags": [f"-toolexec={slow}", "-a"]}
    launch = {"language": "go", "scriptPath": str(program("go/values")), "adapterLaunchConfig": flags}
    async with driver() as one:
        call = asyncio.ensure_future(one.call("start_debugging", **launch))
        await until(lambda: log.exists() and log.read_text().split(), 30)
        tools = [int(pid) for pid in log.read_text().split()]
        family = below(os.getpid())
        assert any("go build" in command_of(pid) for pid in family) and set(tools) <= set(family)
        sleeping = [pid for pid in family if "sleep 600" in command_of(pid) or pid in tools]
        call.cancel()
        await asyncio.wait([call])
        await until(lambda: not [pid for pid in sleeping if alive(pid)])
        assert not list(one.sessions.builds) and not list(one.sessions)


@pytest.mark.needs("mvn", "javac")
async def test_a_maven_project_whose_build_takes_two_calls(program):
    folder = program("java/maven")
    wrapper = folder / "mvnw"
    wrapper.write_text('#!/bin/sh\necho resolving\nuntil [ -e gate ]; do sleep 0.05; done\nexec mvn "$@"\n')
    wrapper.chmod(0o755)
    source = str(folder / "src/main/java/shop/Shop.java")
    target = {"language": "java", "scriptPath": source, "focus": ["*twice"]}
    async with driver() as one:
        said, _ = await impatient(one, "trace_calls", **target)
        assert said.structured["state"] == "building" and "last line `resolving`" in said.text
        (folder / "gate").touch()
        assert "twice(n=4) -> 8" in (await one.ok("trace_calls", **target))["tree"]


@pytest.fixture
def server():
    one = Server()
    yield one
    one.process.kill()
    one.process.wait(10)
    one.close()


def building(server, project, **meta):
    """A launch that builds; its request, and the processes of its build."""
    arguments = {"language": "c", "scriptPath": str(project), "wait": 40}
    id = server.start("tools/call", {"name": "start_debugging", "arguments": arguments}, **meta)
    until_blocking(lambda: begun(project), 30)
    (shell,) = begun(project)
    (make,) = [pid for pid in below(server.process.pid) if shell in below(pid) and "make" in command_of(pid)]
    return id, [make, *below(make)]


@pytest.mark.needs("gdb")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGTERM", "input"])
def test_the_servers_end_ends_a_build_within_two_seconds(server, project, end):
    _, family = building(server, project)
    if end == "input":
        server.process.stdin.close()
    else:
        server.process.send_signal(getattr(signal, end))
    server.process.wait(15)
    began = time.monotonic()
    gone(family, 5)
    assert time.monotonic() - began < 2


@pytest.mark.needs("gdb")
@pytest.mark.parametrize("how", ["notifications/cancelled", "close_debug_session"])
def test_a_cancelled_launch_ends_its_build_and_says_so_to_nobody_else(server, project, how):
    id, family = building(server, project)
    if how == "close_debug_session":
        server.ok("close_debug_session")
    else:
        server.send({"method": "notifications/cancelled", "params": {"requestId": id}})
    gone(family, 5)
    until_blocking(lambda: server.ok("list_debug_sessions")["count"] == 0)


@pytest.mark.needs("gdb")
def test_a_client_with_a_token_is_told_how_far_the_build_is(server, project):
    _, family = building(server, project, meta={"progressToken": "t"})
    heard = []

    def told():
        while not server.notes.empty():
            heard.append(json.dumps(server.notes.get()))
        return [line for line in heard if "still building" in line and "configuring" in line]

    until_blocking(told, SECONDS / 4)
    assert all(alive(pid) for pid in family[:1])
