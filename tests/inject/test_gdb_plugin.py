"""gdb's own DAP server with our plugin in it, driven by hand with a real gdb."""

import asyncio
import subprocess
from pathlib import Path

import pytest
from dap import Refused, engine, line_of
from places import FIXTURES

from dapwright.adapters import _gdb
from dapwright.host import machine

pytestmark = [pytest.mark.live, pytest.mark.needs("gcc", "g++")]
NATIVE = FIXTURES / "native"


@pytest.fixture(scope="session")
def gdb():
    """The gdb that the product would take."""
    for path in _gdb.candidates(machine()):
        told = subprocess.run([path, "-nx", "--version"], capture_output=True, text=True)
        if _gdb.version(told.stdout) >= _gdb.OLDEST:
            return path
    pytest.skip("there is no gdb that speaks DAP")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Compile a fixture once: (program, source)."""

    def build(name):
        folder, source = made.setdefault(name, tmp_path_factory.mktemp("größe mit leer")), NATIVE / name
        program = folder / source.stem
        if not program.exists():
            compiler = "gcc" if source.suffix == ".c" else "g++"
            subprocess.run([compiler, "-g", "-O0", "-o", program, source], check=True)
        return str(program), str(source)

    made = {}
    return build


@pytest.fixture
def debug(gdb):
    return lambda program: engine(*_gdb.command(gdb, machine(), program))


async def arrivals(client, expression):
    """The value of an expression at each stop until the end."""
    seen = []
    while True:
        event = await client.event("stopped", "exited")
        if event["event"] == "exited":
            return seen
        frame = (await client.ask("stackTrace", threadId=event["threadId"], levels=1))["stackFrames"][0]
        seen.append(await value(client, expression, frame))
        await client.ask("continue", threadId=event["threadId"])


async def value(client, expression, frame):
    return (await client.ask("evaluate", expression=expression, frameId=frame["id"], context="watch"))["result"]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("3", [3]), ("==3", [3]), (">8", [9, 10]), (">=9", [9, 10]), ("<3", [1, 2]), ("<=2", [1, 2]), ("%4", [4, 8])],
)
async def test_a_hit_condition_has_one_meaning(debug, built, rule, expected):
    program, source = built("loop.c")
    async with debug(program) as client:
        place = {"line": line_of(source, "sum += i;"), "hitCondition": rule}
        await client.begin(breakpoints={source: [place]}, filters=["signal"], program=program)
        assert await arrivals(client, "i") == [str(n) for n in expected]


async def test_a_hit_condition_counts_where_the_condition_holds(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        place = {"line": line_of(source, "sum += i;"), "condition": "i % 2 == 0", "hitCondition": "2"}
        await client.begin(breakpoints={source: [place]}, filters=["signal"], program=program)
        assert await arrivals(client, "i") == ["4"]


async def test_setting_breakpoints_again_keeps_the_count_of_those_that_stay(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        line = line_of(source, "sum += i;")
        counted = {"line": line, "hitCondition": "%3"}
        await client.begin(breakpoints={source: [counted]}, filters=["signal"], program=program)
        await client.stopped()
        more = [counted, {"line": line_of(source, "int later")}]
        await client.ask("setBreakpoints", source={"path": source}, breakpoints=more)
        await client.ask("continue", threadId=1)
        stop = await client.stopped()
        assert await value(client, "i", stop["frame"]) == "6"


async def test_conditions_that_cannot_be_are_refused_and_failing_ones_told(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        line = line_of(source, "sum += i;")
        wanted = [{"line": line, "condition": "nosuch == 3"}, {"line": line, "hitCondition": "often"}]
        wanted.append({"line": line, "condition": "p->v == 3"})
        told = await client.begin(breakpoints={source: wanted}, filters=["signal"], program=program)
        assert [each["verified"] for each in told[source]] == [False, False, True]
        assert "nosuch" in told[source][0]["message"] and "often" in told[source][1]["message"]
        changed = await client.event("breakpoint", where=lambda body: "failed" in body["breakpoint"].get("message", ""))
        assert "Cannot access memory" in changed["breakpoint"]["message"]
        assert (await client.ended_with())["exitCode"] == 0


async def test_log_points_keep_conditions_counts_braces_and_errors(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        place = {"line": line_of(source, "sum += i;"), "logMessage": "{{i}}={i} {p->v}"}
        place |= {"condition": "i > 2", "hitCondition": "<3"}
        await client.begin(breakpoints={source: [place]}, filters=["signal"], program=program)
        await client.ended_with()
        lines = client.output("log").splitlines()
        assert [line.split()[0] for line in lines] == ["{i}=3", "{i}=4"] and "Cannot access memory" in lines[0]


async def test_output_is_complete_separate_and_there_before_the_end(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        await client.begin(filters=["signal"], program=program, args=["c", "a b'c\"$HOME"])
        assert (await client.ended_with())["exitCode"] == 44
        assert client.output("stdout") == "55 6 " and client.output("stderr") == "to stderr\n"


async def test_input_reaches_the_program_and_can_be_closed(debug, built):
    program, _ = built("loop.c")
    async with debug(program) as client:
        await client.begin(filters=["signal"], program=program, args=["r"])
        await client.ask("dapwright/input", text="größe\n")
        await client.ended_with()
        assert client.output("stdout") == "55 6 größe\n"
    async with debug(program) as client:
        await client.begin(filters=["signal"], program=program, args=["r"])
        await client.ask("dapwright/input", text="", close=True)
        await client.ended_with()
        assert client.output("stdout") == "55 6 "


async def test_a_fatal_signal_is_an_exception_and_an_end_without_a_code(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        await client.begin(filters=["signal"], program=program, args=["null"])
        stop = await client.stopped()
        assert stop["reason"] == "exception" and stop["frame"]["line"] == line_of(source, "the crash")
        info = await client.ask("exceptionInfo", threadId=1)
        assert info["exceptionId"] == "SIGSEGV" and "0x8" in info["description"]
        await client.ask("continue", threadId=1)
        gone = await client.ended_with()
        assert gone["signal"] == "SIGSEGV" and "exitCode" not in gone


async def test_a_watch_tells_old_and_new_and_its_frames_end(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        await client.begin(functions=[{"name": "twice"}], filters=["signal"], program=program)
        stop = await client.stopped()
        assert stop["reason"] == "function breakpoint"
        info = await client.ask("dataBreakpointInfo", name="x", frameId=stop["frame"]["id"])
        await client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}])
        await client.ask("evaluate", expression="x = 4", frameId=stop["frame"]["id"], context="watch")
        await client.ask("continue", threadId=1)
        gone = await client.stopped()
        assert gone["reason"] == "data breakpoint" and "returned" in gone["description"]
    async with debug(program) as client:
        place = {"line": line_of(source, "sum += i;")}
        await client.begin(breakpoints={source: [place]}, filters=["signal"], program=program)
        stop = await client.stopped()
        info = await client.ask("dataBreakpointInfo", name="sum", frameId=stop["frame"]["id"])
        await client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        await client.ask("continue", threadId=1)
        hit = await client.stopped()
        assert (hit["expression"], hit["oldValue"], hit["newValue"]) == ("sum", "0", "1")


async def test_a_call_in_an_expression_keeps_ids_and_a_failed_one_wedges_nothing(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        lines = [{"line": line_of(source, "sum += i;")}, {"line": line_of(source, "int twice(")}]
        await client.begin(breakpoints={source: lines}, filters=["signal"], program=program)
        frame = (await client.stopped())["frame"]
        assert await value(client, "twice(21)", frame) == "42"
        with pytest.raises(Refused):
            await value(client, "twice(nosuch)", frame)
        with pytest.raises(Refused):
            await value(client, "((int (*)(int)) 0)(3)", frame)
        assert await value(client, "sum", frame) == "0"
        assert not [m for m in client.log if m.event == "continued"]
        await client.ask("next", threadId=1)
        assert (await client.stopped())["reason"] == "step"


async def test_backwards_to_the_last_write(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        place = {"line": line_of(source, "sum += i;")}
        await client.begin(breakpoints={source: [place]}, filters=["signal"], program=program)
        await client.stopped()
        with pytest.raises(Refused, match="nothing is recorded"):
            await client.ask("stepBack", threadId=1)
        await client.ask("dapwright/record")
        after = [{"line": line_of(source, "int later")}]
        await client.ask("setBreakpoints", source={"path": source}, breakpoints=after)
        await client.ask("continue", threadId=1)
        stop = await client.stopped()
        info = await client.ask("dataBreakpointInfo", name="sum", frameId=stop["frame"]["id"])
        await client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        await client.ask("reverseContinue", threadId=1)
        written = await client.stopped()
        assert written["reason"] == "data breakpoint" and await value(client, "i", written["frame"]) == "10"
        with pytest.raises(Refused, match="past"):
            await client.ask("dapwright/record", on=False)


async def test_goto_stays_in_the_function_and_a_frame_begins_again(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        await client.begin(breakpoints={source: [{"line": line_of(source, "int later")}]}, program=program)
        await client.stopped()
        back = (await client.ask("gotoTargets", source={"path": source}, line=line_of(source, "long sum")))["targets"]
        other = (await client.ask("gotoTargets", source={"path": source}, line=line_of(source, "int twice(")))[
            "targets"
        ]
        with pytest.raises(Refused, match="another function"):
            await client.ask("goto", threadId=1, targetId=other[0]["id"])
        await client.ask("goto", threadId=1, targetId=back[0]["id"])
        stop = await client.stopped()
        assert stop["reason"] == "goto" and stop["frame"]["line"] == line_of(source, "long sum")
        await client.ask("next", threadId=1)
        moved = await client.stopped()
        await client.ask("restartFrame", frameId=moved["frame"]["id"])
        assert (await client.stopped())["frame"]["line"] == line_of(source, "long sum")


async def test_locals_declared_further_down_are_not_shown(debug, built):
    program, source = built("loop.c")
    async with debug(program) as client:
        await client.begin(breakpoints={source: [{"line": line_of(source, "sum += i;")}]}, program=program)
        frame = (await client.stopped())["frame"]
        scopes = (await client.ask("scopes", frameId=frame["id"]))["scopes"]
        local = next(scope for scope in scopes if scope["name"] == "Locals")
        shown = (await client.ask("variables", variablesReference=local["variablesReference"]))["variables"]
        assert {each["name"] for each in shown} == {"argc", "argv", "i", "sum", "p", "line"}
        null = next(each for each in shown if each["name"] == "p")
        assert null["variablesReference"] == 0 and null["evaluateName"] == "p"
        registers = next(scope for scope in scopes if scope["name"] == "Registers")
        assert registers["expensive"]


async def test_exceptions_of_cpp_say_type_and_text(debug, built):
    program, _ = built("throws.cpp")
    async with debug(program) as client:
        await client.begin(filters=["signal", "throw"], program=program)
        seen = []
        for _ in range(3):
            assert (await client.stopped())["reason"] == "exception"
            info = await client.ask("exceptionInfo", threadId=1)
            seen.append((info["exceptionId"], info["description"]))
            await client.ask("continue", threadId=1)
        assert seen == [("std::runtime_error", "one is bad"), ("mine", "mine says"), ("int", "42")]


@pytest.mark.parametrize(
    ("args", "text"), [(["x"], "std::runtime_error: one is bad"), (["x", "y"], "Assertion `argc == 1")]
)
async def test_an_abort_is_told_in_the_dying_words(debug, built, args, text):
    program, _ = built("throws.cpp")
    async with debug(program) as client:
        await client.begin(filters=["signal"], program=program, args=args)
        assert text in (await client.stopped())["description"]


async def test_containers_and_types_are_shown_as_people_write_them(debug, built):
    program, source = built("throws.cpp")
    async with debug(program) as client:
        place = {"line": line_of(source, "for (int n")}
        await client.begin(breakpoints={source: [place]}, filters=["signal"], program=program)
        frame = (await client.stopped())["frame"]
        assert '"a", "b"' in await value(client, "words", frame)
        body = await client.ask("evaluate", expression="table", frameId=frame["id"], context="watch")
        assert '["key"] = 1' in body["result"] and body["type"] == "std::map<std::string, int>"
        assert "no contained value" in await value(client, "none", frame)


async def test_the_program_dies_with_its_debugger(gdb, built, tmp_path):
    program, source = built("loop.c")
    async with engine(*_gdb.command(gdb, machine(), program)) as client:
        await client.begin(filters=["signal"], program=program, args=["r"])
        process = (await client.event("process"))["systemProcessId"]
        client.process.kill()
        await client.process.wait()
        async with asyncio.timeout(5):
            while is_alive(process):
                await asyncio.sleep(0.01)


def is_alive(process):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


async def test_a_program_that_is_none_is_refused(debug, built):
    _, source = built("loop.c")
    async with debug("") as client:
        with pytest.raises(Refused, match="not executable"):
            await client.begin(program=source)
    async with debug("") as client:
        with pytest.raises(Refused, match="no such program"):
            await client.begin(program=source + ".missing")
