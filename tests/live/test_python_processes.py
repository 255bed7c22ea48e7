"""Python's child processes, threads, tasks, input and interpreters."""

import shutil
import subprocess
import sys
from pathlib import Path

import places
import pytest
from interpreters import python
from waits import until

from live.driver import driver, line_of

pytestmark = pytest.mark.live


async def begun(d, file, line, *, in_file=None, **launch):
    await d.ok("create_debug_session", language="python", **launch.pop("session", {}))
    await d.ok("set_breakpoint", file=str(in_file or file), line=line)
    return await d.ok("start_debugging", scriptPath=str(file), wait=20, **launch)


async def ended(d, told):
    """Go on to the end: each stop on the way as (process, line), and the end."""
    seen = []
    while told["state"] != "stopped":
        if told["state"] == "paused":
            seen.append((told["lastStop"].get("process"), told["location"]["line"]))
            told = await d.ok("continue_execution", wait=20)
        else:
            told = await d.ok("wait_for_stop", timeout=20_000)
    return seen, told


@pytest.mark.parametrize(("mode", "count"), [("direct", 1), ("isolated", 1), ("shell", 0)])
async def test_a_python_child_is_stopped_in_and_a_shell_s_child_runs_clean(case, mode, count):
    folder = case("C34")
    async with driver() as d:
        told = await begun(d, folder / "parent.py", 3, in_file=folder / "child.py", args=[mode])
        seen, end = await ended(d, told)
        assert len(seen) == count and all(process for process, _ in seen)
        assert end["exitCode"] == 0 and "rc 0" in await d.printed("stdout")
        assert bool(end.get("unhitBreakpoints")) == (count == 0)


async def test_children_are_left_alone_where_that_is_asked(case):
    folder = case("C34")
    async with driver() as d:
        more = {"args": ["direct"], "dapLaunchArgs": {"subProcess": False}}
        seen, end = await ended(d, await begun(d, folder / "parent.py", 3, in_file=folder / "child.py", **more))
        assert not seen and end["exitCode"] == 0 and end["unhitBreakpoints"]


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
async def test_every_job_of_a_pool_stops_with_its_process_named(case, method):
    file = case("C36") / "pool.py"
    async with driver() as d:
        seen, end = await ended(d, await begun(d, file, 4, args=[method]))
        assert [line for _, line in seen] == [4, 4, 4] and len({process for process, _ in seen}) <= 2
        assert end["exitCode"] == 0 and "[1, 4, 9] True" in await d.printed("stdout")


async def test_a_forked_and_an_executed_child_end_well(tmp_path):
    file = tmp_path / "forks.py"
    file.write_text(
        "import os\nimport sys\n\npid = os.fork()\nif pid == 0:\n    mark = 'child'\n    os._exit(3)\n"
        "code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])\nprint('child', code, flush=True)\n"
        "os.execv(sys.executable, [sys.executable, '-c', 'print(\"replaced\")'])\n"
    )
    async with driver() as d:
        seen, end = await ended(d, await begun(d, file, line_of(file, "mark = 'child'")))
        assert [line for _, line in seen] == [6] and seen[0][0]
        assert end["exitCode"] == 0
        assert (await d.printed("stdout")).split() == ["child", "3", "replaced"]


async def test_children_end_with_the_session(case):
    file = case("C38") / "leaves_children.py"
    async with driver() as d:
        await begun(d, file, 5)
        pids = (await d.printed("stdout")).split()[1:]
        assert len(pids) == 2
        await d.ok("close_debug_session")
        for pid in pids:
            await until(lambda pid=pid: not lives(pid))


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def test_output_of_children_and_of_descriptors_is_whole_and_told_once(case):
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        _, end = await ended(d, await d.ok("start_debugging", scriptPath=str(case("C49") / "tail.py"), wait=20))
        printed = await d.printed("stdout")
        for words in ("no newline at end|", "from-fd1|", "from-child|", "from-echo", "tail 49", "LAST"):
            assert printed.count(words) == 1, words
        assert end["exitCode"] == 0 and not await d.printed("stderr")


async def test_every_hit_of_every_thread_is_told_once(case):
    file = case("C39") / "threads.py"
    async with driver() as d:
        told, hits = await begun(d, file, 5), {}
        while told["state"] == "paused":
            names = {row["id"]: row["name"] for row in (await d.ok("list_threads"))["threads"]}
            name = names[told["lastStop"]["threadId"]]
            hits[name] = hits.get(name, 0) + 1
            told = await d.ok("continue_execution", wait=20)
        assert hits == {"T-a": 3, "T-b": 3, "T-c": 3} and told["exitCode"] == 0
        assert not await d.printed("stderr")


async def test_a_step_that_ends_in_another_thread_says_so(case):
    file = case("C39") / "threads.py"
    async with driver() as d:
        first = await begun(d, file, 5)
        told = await d.ok("step_over")
        if told["lastStop"]["threadId"] != first["lastStop"]["threadId"]:
            assert "stopped first" in told["note"]
        else:
            assert told["location"]["line"] == 6


async def test_tasks_are_listed_and_a_step_over_await_stays_in_its_own(tmp_path):
    file = Path(shutil.copy(places.FIXTURES / "python" / "tasks.py", tmp_path))
    async with driver() as d:
        await begun(d, file, line_of(file, "place = f"), breakOnExceptions="all")
        tasks = {row["name"]: row for row in (await d.ok("list_threads"))["tasks"]}
        assert tasks["left"]["current"] is True and tasks["right"]["function"] == "walk"
        await d.ok("clear_breakpoints")
        for expected in ("await asyncio.sleep(0)\n        seen", "seen.append(place)", "for step in range(steps):"):
            stop = await d.ok("step_over")
            assert stop["content"] in expected, stop["location"]
            assert {row["name"]: row["value"] for row in stop["locals"]}["name"] == "'left'"
        seen, end = await ended(d, await d.ok("continue_execution", wait=20))
        assert seen == [(None, line_of(file, "raise LookupError"))] and end["exitCode"] == 0


async def test_input_is_fed_and_closed(case):
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        await d.ok("start_debugging", scriptPath=str(case("C46") / "asks.py"), wait=0.1)
        await d.ok("send_input", text="Ada\nmore\n", close=True)
        _, end = await ended(d, await d.ok("wait_for_stop", timeout=20_000))
        assert "tty? False" in await d.printed() and "hello Ada 5" in await d.printed() and end["exitCode"] == 0


async def test_a_program_that_wants_a_terminal_gets_one(tmp_path):
    file = tmp_path / "tty.py"
    file.write_text(
        "import curses, getpass, os, sys\nprint(sys.stdin.isatty(), tuple(os.get_terminal_size()))\n"
        "print('got', len(getpass.getpass('pw: ')))\n"
        "key = curses.wrapper(lambda w: (w.addstr(0, 0, 'drawn'), w.refresh(), w.getch())[2])\nprint('key', key)\n"
    )
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        terminal = {"console": "integratedTerminal"}
        await d.ok("start_debugging", scriptPath=str(file), wait=0.1, env={"TERM": "xterm"}, dapLaunchArgs=terminal)
        for awaited, text in (("pw: ", "sesam\n"), ("drawn", "q")):
            for _ in range(100):
                if awaited in await d.printed():
                    break
                await d.ok("wait_for_stop", timeout=100)
            await d.ok("send_input", text=text)
        _, end = await ended(d, await d.ok("wait_for_stop", timeout=20_000))
        printed = await d.printed()
        assert "True (80, 24)" in printed and "got 5" in printed and "key 113" in printed
        assert "sesam" not in printed and end["exitCode"] == 0


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.12", "3.13"])
async def test_a_bare_interpreter_of_another_version_is_debugged_alike(case, version):
    file = case("C25") / "chatty.py"
    async with driver() as d:
        session = {"executablePath": python(version)}
        stop = await begun(d, file, line_of(file, 'print("real output")'), session=session)
        assert stop["state"] == "paused", stop
        assert (await d.value("__import__('sys').version")).startswith(f"'{version}.")
        endless = "[0 for _ in iter(int, 1)]"
        assert "interrupted" in await d.refused("evaluate_expression", expression=endless, timeout=500)
        assert (await d.ok("continue_execution", wait=20))["exitCode"] == 0
        assert (await d.printed("stdout")).startswith("real output")


async def test_the_project_s_own_interpreter_is_taken_and_told(tmp_path, case):
    project = tmp_path / "proj"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(project / ".venv")], check=True, timeout=60)
    (project / "which.py").write_text("import sys\nprint(sys.prefix)\n")
    async with driver() as d:
        await d.ok("create_debug_session", language="python")
        told = await d.ok("start_debugging", scriptPath=str(project / "which.py"), wait=20)
        assert "of the project's .venv" in told["note"] and told["exitCode"] == 0
        assert (await d.printed("stdout")).strip() == str(project / ".venv")


@pytest.mark.parametrize("broken", ["/bin/true", "/bin/false"])
async def test_an_interpreter_that_is_none_fails_at_once_with_its_own_words(tmp_path, broken):
    file = tmp_path / "x.py"
    file.write_text("print(1)\n")
    async with driver() as d:
        await d.ok("create_debug_session", language="python", executablePath=broken)
        told = await d.refused("start_debugging", scriptPath=str(file))
        assert f"`{broken}` ended with exit code" in told
