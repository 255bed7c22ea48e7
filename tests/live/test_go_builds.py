"""Go builds: workspaces, cgo, tags, -trimpath, symbolic links, what a prebuilt program tells of itself, slow builds."""

import asyncio
import shutil
import subprocess

import pytest

from live.driver import driver
from live.gophers import started

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]


async def test_a_workspace_with_cgo_and_tags_stops_in_its_other_module(program):
    if shutil.which("gcc") is None:
        pytest.skip("cgo needs gcc")
    space = program("go/workspace")
    other = [{"file": str(space / "lib/lib.go"), "statement": "return 2 * n"}]
    tagged = {"adapterLaunchConfig": {"tags": "special"}}
    async with started(space / "app", breakpoints=other, **tagged) as (go, stop):
        assert stop["location"]["function"] == "lib.Twice" and await go.value("n") == "3"
        await go.ok("continue_execution", wait=20)
        assert await go.printed("stdout") == "6 special\n"


async def test_a_package_of_a_workspace_stops_at_its_entry_by_its_import_path(program):
    folder = program("go/workspace")
    name = next(line.split()[1] for line in (folder / "app" / "go.mod").read_text().splitlines() if "module" in line)
    async with driver() as go:
        asked = {"language": "go", "module": name, "cwd": str(folder), "stopOnEntry": True, "wait": 40}
        stop = await go.ok("start_debugging", **asked)
        assert stop["stopReason"] == "entry" and stop["content"] == "func main() {"
        told = await go.refused("start_debugging", **{**asked, "module": name + "/nosuch"})
        assert "go finds no package" in told
        told = await go.refused("start_debugging", language="go", scriptPath=str(folder), wait=40)
        assert "no Go files of its own" in told and "pass a program's folder: app" in told


async def test_a_program_without_paths_stops_in_the_sources_here(program):
    async with started(
        program("go/values"), "q, err := divide(9, 3)", adapterLaunchConfig={"buildFlags": "-trimpath"}
    ) as (go, stop):
        assert stop["state"] == "paused" and stop["location"]["file"].endswith("values/main.go")
        assert await go.value("add(1, 2)") == "3"


async def test_a_symbolic_link_is_the_file_that_it_leads_to(program, tmp_path):
    real = program("go/values")
    link = tmp_path / "linked"
    link.symlink_to(real, target_is_directory=True)
    async with started(link, "q, err := divide(9, 3)") as (_, stop):
        assert stop["state"] == "paused" and stop["location"]["file"] == str(real / "main.go")


@pytest.mark.parametrize(("flags", "said"), [(["-trimpath"], "is optimised"), (["-ldflags=-s -w"], "is stripped")])
async def test_an_optimised_or_stripped_program_is_told(program, flags, said):
    folder = program("go/values")
    subprocess.run(["go", "build", *flags, "-o", "ready", "."], cwd=folder, check=True, timeout=100)
    async with driver() as go:
        stop = await go.ok("start_debugging", language="go", scriptPath=str(folder / "ready"), wait=30)
        assert said in stop["warning"] and stop["exitCode"] == 3


async def test_a_build_that_takes_long_is_told_and_ends_with_its_session(program, tmp_path):
    folder = program("go/values")
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 600\n")
    slow.chmod(0o755)
    async with driver() as go:
        begun = await go.ok("create_debug_session", language="go")
        flags = {"buildFlags": [f"-toolexec={slow}", "-a"]}
        (session,) = go.sessions
        launch = {"language": "go", "scriptPath": str(folder / "main.go"), "adapterLaunchConfig": flags}
        starting = asyncio.ensure_future(go.call("start_debugging", **launch))
        assert await session.until(lambda: bool(session.building), 30)
        told = await go.ok("wait_for_stop", timeout=500)
        assert told["state"] == "starting" and "go build" in told["message"]
        await go.ok("close_debug_session", sessionId=begun["sessionId"])
        starting.cancel()
