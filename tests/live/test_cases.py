"""Public bug reports of this field that no other test plays: the right value for each."""

import json

import pytest

from live.driver import driver, line_of

pytestmark = pytest.mark.live


async def scope(d):
    """All that the innermost scope holds, as `get_variables` answers it."""
    first = (await d.ok("get_scopes"))["scopes"][0]
    return await d.ok("get_variables", variablesReference=first["variablesReference"])


@pytest.mark.needs("node")
@pytest.mark.parametrize("name", ["early.cjs", "early.mjs"])
async def test_c71_the_first_line_stops_every_time(case, name):
    file = str(case("C71") / name)
    async with driver() as d:
        for _ in range(5):
            stop = await d.ok("start_debugging", scriptPath=file, breakpoints=[{"file": file, "line": 1}], wait=20)
            assert stop["state"] == "paused" and stop["location"]["line"] == 1, stop
            assert stop["lastStop"]["reason"] == "breakpoint"
            await d.ok("close_debug_session", sessionId=stop["sessionId"])


@pytest.mark.needs("node")
async def test_c71_a_worker_and_a_child_are_stopped_in_as_their_own(case):
    file = case("C71") / "worker.mjs"
    lines = [line_of(file, 'const kid = "child process"'), line_of(file, 'const inner = "worker thread"')]
    async with driver() as d:
        places = [{"file": str(file), "line": line} for line in lines]
        told = await d.ok("start_debugging", scriptPath=str(file), breakpoints=places, wait=20)
        seen = []
        while told["state"] == "paused":
            seen.append((told["location"]["line"], told["lastStop"].get("process"), told["lastStop"]["threadId"]))
            told = await d.ok("continue_execution", wait=20)
        assert [line for line, *_ in seen] == lines[::-1] and len({thread for *_, thread in seen}) == 2, seen
        printed = await d.printed()
        assert "from worker thread" in printed and "and child process" in printed and told["exitCode"] == 0


@pytest.mark.needs("node")
async def test_c73_a_giant_scope_stays_small_no_getter_runs_and_a_late_rejection_is_told(case):
    file = str(case("C73") / "closure.js")
    async with driver() as d:
        place = {"file": file, "statement": "const local = n + 1;"}
        stop = await d.ok("start_debugging", scriptPath=file, breakpoints=[place], wait=20)
        told = await scope(d)
        assert len(json.dumps(told)) < 60_000 and len(json.dumps(stop)) < 6_000
        names = {one["name"] for one in (await d.ok("get_local_variables"))["variables"]}
        assert "n" in names and "process" not in names and "globalThis" not in names
        module = stop["stack"][0]["id"]  # V8 keeps of these in the inner function only what it uses
        for name in ("trap", "proxy", "cyc"):
            value = await d.ok("evaluate_expression", expression=name, frameId=module)
            await d.ok("get_variables", variablesReference=value["variablesReference"])
        assert await d.value("touched") == "0"
        assert "getter throws" in await d.refused("evaluate_expression", expression="trap.bad", frameId=module)
        stop = await d.ok("continue_execution", wait=20)
        assert "unhandled later" in json.dumps(stop)
        while stop["state"] == "paused":
            stop = await d.ok("continue_execution", wait=20)
        assert stop["exitCode"] == 1


async def test_c33_secrets_are_masked_everywhere_and_harmless_names_are_not(case):
    folder = case("C33")
    file = str(folder / "secrets.py")
    async with driver() as d:
        answers = [
            await d.ok(
                "start_debugging",
                scriptPath=file,
                env={"SERVICE_TOKEN": "tok-env-987"},
                breakpoints=[{"file": file, "line": 11}],
                wait=20,
            )
        ]
        for expression in ("api_key", "config", "os.environ['SERVICE_TOKEN']"):
            answers.append(await d.call("evaluate_expression", expression=expression))
        answers.append(await scope(d))
        answers.append(await d.ok("continue_execution", wait=20))
        answers += [await d.ok("get_output", limit=1000), await d.ok("list_debug_sessions")]
        text = json.dumps(answers)
        for secret in ("A1b2C3d4", "ghp_0123", "s3cr3tpw", "tok-env-987"):
            assert secret not in text, secret
        assert str(folder) in text and "<redacted:" in text


async def test_c53_arguments_and_variables_arrive_as_they_were_given(case):
    folder = case("C53")
    args = ["a b", "", 'q"uote', "*", "$HOME", "--flag=x y"]
    env = {"CASE_SET": "1", "CASE_EMPTY": "", "CASE_UNSET": None}
    async with driver() as d:
        told = await d.ok("start_debugging", scriptPath="echoargs.py", cwd=str(folder), args=args, env=env, wait=20)
        assert told["exitCode"] == 0
        printed = json.loads((await d.printed("stdout")).splitlines()[0])
        assert printed["argv"] == args and printed["env"]["CASE_SET"] == "1", printed
        assert printed["env"].get("CASE_EMPTY") == "" and printed["env"].get("CASE_UNSET") is None
        assert "/nonexistent" in await d.refused(
            "start_debugging", scriptPath=str(folder / "echoargs.py"), cwd="/nonexistent"
        )
