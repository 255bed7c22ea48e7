"""One story, told in every language whose toolchain is here.

A program weighs three pairs: (tea, 3), (jam, 5), (rye, 7). `doubled` is twice the
amount, `total` is that and the length of the name: 9, 13, 17, together 39. It prints
what it has seen, reads a line, prints that, and ends with exit code 3.
"""

from dataclasses import dataclass

import pytest

from live.driver import driver

pytestmark = pytest.mark.live


@dataclass(frozen=True, kw_only=True)
class Story:
    """How the program of the story is written in one language."""

    file: str
    needs: tuple[str, ...]
    doubled: str
    """The statement that makes `doubled`, ..."""
    total: str
    """... the one that makes `total`, ..."""
    after: str
    """... and the one after it."""
    names: tuple[str, str]
    """The names of `doubled` and `total`."""
    amount: str
    """An expression for the amount."""
    condition: str
    """True for the second pair alone."""
    function: str = "weigh"
    sets: bool = True
    raises: str = ""
    """A word of the uncaught exception's message, where `fail` as an argument raises one."""
    seen: str = "seen 39"
    refuses: bool = True
    """A name that is nowhere is refused by evaluate."""
    input: bool = True
    """The program's input can be fed."""


STORIES = {
    "ruby": Story(
        file="story.rb",
        needs=("ruby", "rdbg"),
        doubled="doubled = amount * 2",
        total="total = doubled + name.length",
        after="total",
        names=("doubled", "total"),
        amount="amount",
        condition='name == "jam"',
        raises="no bread",
    ),
    "php": Story(
        file="story.php",
        needs=("php", "xdebug"),
        doubled="$doubled = $amount * 2;",
        total="$total = $doubled + strlen($name);",
        after="return $total;",
        names=("$doubled", "$total"),
        amount="$amount",
        condition='$name == "jam"',
        raises="no bread",
    ),
    "cobol": Story(
        file="STORY.cob",
        needs=("cobc", "gdb"),
        doubled="COMPUTE WS-DOUBLED = WS-AMOUNT(WS-I) * 2.",
        total="COMPUTE WS-TOTAL = WS-DOUBLED + 3.",
        after="ADD WS-TOTAL TO WS-SEEN.",
        names=("WS-DOUBLED", "WS-TOTAL"),
        amount="WS-AMOUNT(WS-I)",
        condition='WS-NAME(WS-I) = "jam"',
    ),
    "lua": Story(
        file="story.lua",
        needs=("lua",),
        doubled="local doubled = amount * 2",
        total="local total = doubled + #name",
        after="return total",
        names=("doubled", "total"),
        amount="amount",
        condition='name == "jam"',
        raises="no bread",
    ),
    "perl": Story(
        file="story.pl",
        needs=("perl",),
        doubled="my $doubled = $amount * 2;",
        total="my $total = $doubled + length($name);",
        after="return $total;",
        names=("$doubled", "$total"),
        amount="$amount",
        condition='$name eq "jam"',
        raises="no bread",
    ),
    "bash": Story(
        file="story.sh",
        needs=("bash-dap",),
        doubled="local doubled=$((amount * 2))",
        total="local total=$((doubled + ${#name}))",
        after="result=$total",
        names=("doubled", "total"),
        amount="$amount",
        condition="[[ $name == jam ]]",
        sets=False,
        refuses=False,
        input=False,
    ),
}


@pytest.fixture(params=STORIES)
def story(request):
    import toolchains

    told = STORIES[request.param]
    toolchains.needs(*told.needs)
    return request.param, told


def plain(value: str) -> str:
    """A number as the story knows it: COBOL shows the zeros before it."""
    return value.strip("\"'").lstrip("+0") or "0"


async def test_a_statement_stops_and_shows_its_values_and_steps(story, program):
    language, told = story
    file = str(program(language) / told.file)
    async with driver() as d:
        stop = await d.ok(
            "start_debugging", scriptPath=file, wait=45, breakpoints=[{"file": file, "statement": told.total}]
        )
        assert stop["state"] == "paused" and stop["lastStop"]["reason"] == "breakpoint", stop
        assert stop["content"].strip() == told.total
        shown = {one["name"]: one["value"] for one in stop["locals"]}
        assert plain(shown[told.names[0]]) == "6", shown
        assert told.function.lower() in stop["location"]["function"].lower()
        assert plain(await d.value(told.amount)) == "3"
        stop = await d.ok("step_over")
        assert stop["state"] == "paused" and stop["lastStop"]["reason"] == "step", stop
        assert stop["content"].strip() == told.after, stop
        assert plain((await d.locals())[told.names[1]]) == "9"
        if told.refuses:
            assert await d.refused("evaluate_expression", expression="no_such_name_here + 1")
        stop = await d.ok("step_out")
        assert stop["state"] == "paused", stop  # rdbg stops at the end of the function, others behind the call


async def test_a_logpoint_a_condition_and_a_hit_count_are_kept(story, program):
    language, told = story
    file = str(program(language) / told.file)
    async with driver() as d:
        stop = await d.ok(
            "start_debugging",
            scriptPath=file,
            wait=45,
            breakpoints=[
                {"file": file, "statement": told.doubled, "logMessage": "amount={" + told.amount + "}"},
                {"file": file, "statement": told.total, "condition": told.condition},
                {
                    "file": file,
                    "statement": told.after,
                    "hitCondition": "3",
                }
                if told.after != "total"
                else {"file": file, "line": line(file, told.total) + 1, "hitCondition": "3"},
            ],
        )
        assert stop["state"] == "paused" and stop["content"].strip() == told.total, stop
        assert plain((await d.locals())[told.names[0]]) == "10"
        stop = await d.ok("continue_execution", wait=20)
        assert stop["state"] == "paused" and stop["content"].strip() == told.after, stop
        assert plain((await d.locals())[told.names[1]]) == "17"
        logged = await d.printed("log")
        assert [plain(part.partition("=")[2]) for part in logged.split()] == ["3", "5", "7"], logged


async def test_the_end_tells_output_input_and_exit_code(story, program):
    language, told = story
    file = str(program(language) / told.file)
    async with driver() as d:
        end = await d.ok("start_debugging", scriptPath=file, wait=1 if told.input else 20)
        if told.input:
            await d.ok("send_input", text="a line\n")
            end = await d.ok("wait_for_stop", timeout=30_000)
        assert end["state"] == "stopped" and end["exitCode"] == 3, end
        text = (await d.printed("stdout")).replace("\r\n", "\n").replace("0039", "39")
        assert told.seen in text and ("heard a line" if told.input else "heard") in text, text


async def test_a_value_set_changes_the_run(story, program):
    language, told = story
    if not told.sets:
        pytest.skip(f"the debugger of {language} sets no variables")
    file = str(program(language) / told.file)
    async with driver() as d:
        await d.ok("start_debugging", scriptPath=file, wait=45, breakpoints=[{"file": file, "statement": told.total}])
        told_now = await d.ok("set_variable", name=told.names[0], value="106")
        assert plain(told_now["value"]) == "106", told_now
        await d.ok("clear_breakpoints")
        await d.ok("continue_execution", wait=1)
        if told.input:
            await d.ok("send_input", text="x\n")
            await d.ok("wait_for_stop", timeout=30_000)
        assert told.seen.replace("39", "139") in (await d.printed("stdout")).replace("0139", "139")


async def test_a_function_is_stopped_at_by_name(story, program):
    language, told = story
    file = str(program(language) / told.file)
    async with driver() as d:
        stop = await d.ok("start_debugging", scriptPath=file, wait=45, breakpoints=[{"function": told.function}])
        assert stop["state"] == "paused" and stop["lastStop"]["reason"] == "function breakpoint", stop
        assert told.function.lower() in stop["location"]["function"].lower()


async def test_an_uncaught_exception_stops_where_it_was_raised(story, program):
    language, told = story
    if not told.raises:
        pytest.skip(f"the debugger of {language} stops at no exceptions")
    file = str(program(language) / told.file)
    async with driver() as d:
        await d.ok("start_debugging", scriptPath=file, args=["fail"], wait=1)
        await d.ok("send_input", text="x\n")
        stop = await d.ok("wait_for_stop", timeout=30_000)
        assert stop["state"] == "paused" and stop["lastStop"]["reason"] == "exception", stop
        assert told.raises in str(stop["lastStop"]), stop
        assert "fail_now" in stop["location"]["function"], stop
        end = await d.ok("continue_execution", wait=20)
        assert end["state"] == "stopped" and end.get("exitCode"), end


def line(file: str, text: str) -> int:
    """The first line whose code is `text`."""
    from pathlib import Path

    return next(n for n, one in enumerate(Path(file).read_text().splitlines(), 1) if one.strip() == text)
